// Command rig holds the parts of the engine's bench that must not cost more than they measure: the server that knows
// when it sent what, the bare client that is the floor, and the watcher that tells what a client used.
package main

import (
	"fmt"
	"os"
)

var commands = map[string]func(args []string) error{
	"mock":          mock,
	"floor-streams": floorStreams,
	"floor-plain":   floorPlain,
	"floor-rate":    floorRate,
	"watch":         watch,
}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "rig: expected mock, floor-streams, floor-plain, floor-rate or watch")
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "rig:", err)
		os.Exit(1)
	}
}
