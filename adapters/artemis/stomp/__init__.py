"""Artemis by STOMP."""
