package main

import (
	"fmt"
	"os"
	"slices"
)

// known are the bugs that can be switched on, one at a time, with `--bug NAME`; bugs.yaml, bugs_second.yaml,
// bugs_third.yaml and bugs_fourth.yaml say what each does.
var known = []string{
	"stops-at-capacity",
	"releases-at-resume",
	"releases-one-byte-late",
	"oversized-refused",
	"checked-before-stored",
	"returned-freed-twice",
	"purge-forgets-held",
	"gate-ignores-held",
	"hundredth-not-freed",
	"oversized-not-all-freed",
	"released-by-second-removal",
	"waiting-send-forgotten",
	"one-waiter-per-removal",
	"third-waiter-stranded",
	"waiting-sends-stop-at-first",
	"latecomer-two-messages",
	"latecomer-not-released",
	"close-stopped-frees-others",
	"kill-strands-next",
	"closed-consumer-frees",
	"killed-consumer-returns-one",
	"kill-forgets-consumer-beside-producer",
	"order-lifted-by-consumer",
	"purge-releases-nobody",
	"purge-lifts-order",
	"raise-releases-nobody",
	"old-producers-old-capacity",
	"change-keeps-resume",
	"lower-stops-everybody",
	"unlimited-keeps-stopped",
	"order-expires",
	"fails-one-ms-late",
	"notice-with-failure",
	"failed-message-sent",
	"default-capacity",
	"default-resume-80-percent",
	"own-zero-inherits",
	"log-capacity-as-resume",
	"log-silent-release",
	"commit-unchecked",
	"rollback-keeps-charge",
	"rollback-stores-last",
	"commit-drops-past-crossing",
	"topic-ignores-defaults",
	"topic-unlimited",
	"topic-without-gap",
	"released-by-any",
	"underfull-together",
	"second-queue-unchecked",
	"anonymous-checks-first",
	"connection-stopped",
	"second-copy-lost",
	"crossing-lost",
	"acknowledged-returned",
	"third-stop-missing",
	"third-release-missing",
	"level-in-32-bits",
	"log-one-comma",
	"old-client-held-back",
	"old-client-opens-gate",

	// The second list.
	"raise-keeps-calls",
	"purge-keeps-returned",
	"own-capacity-hides-resume",
	"change-forgets-defaults",
	"log-underfull-needs-stopped",
	"log-closed-as-released",
	"next-call-inherits-time",
	"notices-not-reset",
	"anonymous-ignores-order",
	"close-commits",
	"copy-frees-others",
	"waited-skips-transaction",
	"kill-miscounts-messages",
	"own-connection-not-released",
	"order-lifted-together",
	"order-restarts-time",

	// The third list.
	"failed-send-empties-transaction",
	"old-client-ends-release",
	"channel-inherits-stop",
	"order-hides-crossing",
	"time-from-stop",
	"returned-past-capacity-dropped",
	"log-overfull-after-management",
	"resume-capped",
	"waited-unchecked",
	"notice-names-period",

	// The fourth list.
	"second-consumer-wakes-nobody",
	"rollback-lifts-stop",
	"purge-stops-at-hundred",
	"topic-order-ignored",
	"log-names-first-queue",
	"failure-time-whole-seconds",
	"log-lowered-unnoticed",
	"commit-checks-before-last",
	"notices-stop-at-ten",
	"kill-swallows-next-stop",
}

var chosen string

func bug(name string) bool { return chosen == name }

func chooseBug(arguments []string) {
	if len(arguments) == 0 {
		return
	}
	if len(arguments) != 2 || arguments[0] != "--bug" || !slices.Contains(known, arguments[1]) {
		fmt.Fprintf(os.Stderr, "sluice: expected nothing, or --bug and one of %v\n", known)
		os.Exit(2)
	}
	chosen = arguments[1]
}
