package main

// #include "crash.h"
import "C"

import "runtime/debug"

// Both files must agree on the exit statuses.
var (
	_ [exitFault]struct{} = [C.EXIT_FAULT]struct{}{}
	_ [exitData]struct{}  = [C.EXIT_DATA]struct{}{}
)

// endCrashesWithStatus1 makes panics and fatal errors of the Go runtime, in any
// goroutine and in C, end the process with status 1 instead of 2, or with
// status 3 if memory ran out; see crash.c.
func endCrashesWithStatus1() { debug.SetTraceback("crash") }
