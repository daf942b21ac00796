package table

// EscapeLaTeX returns a text with every character escaped that has a meaning in LaTeX.
func EscapeLaTeX(text string) string { return latexText(text) }
