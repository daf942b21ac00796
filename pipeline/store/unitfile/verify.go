package unitfile

import "descbench/pipeline/files/npz"

// VerifyEval checks all bytes of a file written by WriteEval, without decoding
// it. Errors about its content are Unusable.
func VerifyEval(f UnitFile) error { return readContainer(f, kindEval, nothing) }

// VerifySets is like VerifyEval for a file written by WriteSets.
func VerifySets(f UnitFile) error { return readContainer(f, kindSets, nothing) }

// VerifyPool is like VerifyEval for a file written by WritePool.
func VerifyPool(f UnitFile) error { return readContainer(f, "pool", nothing) }

// VerifyTasks is like VerifyEval for a file written by WriteTasks.
func VerifyTasks(f UnitFile) error { return readContainer(f, "tasks", nothing) }

func nothing(*npz.Archive) error { return nil }
