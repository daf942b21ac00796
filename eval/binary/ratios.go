package binary

// A Ratio is a number that follows from a confusion matrix. The catalogue of metrics defines each.
type Ratio struct {
	Name  string // in files and JSON
	Short string // in tables
	Of    func(Confusion) float64
}

// Ratios lists all ratios in reporting order.
var Ratios = []Ratio{
	{"true_positive_rate", "TPR", Confusion.TruePositiveRate},
	{"false_positive_rate", "FPR", Confusion.FalsePositiveRate},
	{"true_negative_rate", "TNR", Confusion.TrueNegativeRate},
	{"false_negative_rate", "FNR", Confusion.FalseNegativeRate},
	{"precision", "precision", Confusion.Precision},
	{"accuracy", "accuracy", Confusion.Accuracy},
	{"youden_j", "Youden J", Confusion.YoudenJ},
	{"balanced_accuracy", "balanced accuracy", Confusion.BalancedAccuracy},
	{"f1", "F1", Confusion.F1},
	{"matthews_correlation", "Matthews correlation", Confusion.MatthewsCorrelation},
}
