"""Why a producer is blocked: what the lines of a broker's or a client's log say of it."""
