// Package eval computes the metrics of the field from query records. It is pure Go,
// needs no images, and keeps no state outside its accumulators.
package eval

// A Query is the record of one query of one image pair. It holds the results of one
// pass over the descriptors with the homography, which suffice to compute every
// ranking metric. Queries without a ground truth also have a record.
//
// Row numbers identify the keypoints of a set, starting at 0; -1 means no keypoint.
type Query struct {
	Descriptor string `parquet:"descriptor,dict"`
	Scene      string `parquet:"scene,dict"`
	K          int32  `parquet:"k"`   // the pair is (image 1, image K)
	Row        int32  `parquet:"row"` // of the query, in the set of image 1

	X          float32 `parquet:"x"` // of the query, px in image 1
	Y          float32 `parquet:"y"`
	ProjectedX float64 `parquet:"projected_x"` // of the query, px in image K
	ProjectedY float64 `parquet:"projected_y"`

	// Truth is the ground truth: the candidate nearest to the projected query
	// (the lowest row if several are equally near) within scope.MaxTolerancePx,
	// else -1. TruthError is its distance to the projected query in px, +Inf
	// without a ground truth.
	Truth      int32   `parquet:"truth"`
	TruthError float64 `parquet:"truth_error"`

	// Less counts the other candidates that are nearer to the query in
	// descriptor space than the ground truth, Equal those at exactly the same
	// distance. Both are 0 without a ground truth. If the query or its ground
	// truth is invalid, Less is Candidates-1.
	//
	// This is the relevance rule nearest. Under the rule position, candidates
	// at the same position as the ground truth are the same answer: the best of
	// them is ranked, and the others are not counted. Under the rule identity,
	// the ground truth is the projection of the query itself, even if another
	// candidate is nearer. A run uses one rule, set in its config.
	Less  int32 `parquet:"less"`
	Equal int32 `parquet:"equal"`

	// Nearest and Second are the two valid candidates nearest in descriptor
	// space; ties go to the lower row. Their distances are NaN without such a
	// candidate. An invalid query has no neighbours.
	Nearest         int32   `parquet:"nearest"`
	NearestDistance float64 `parquet:"nearest_distance"`
	Second          int32   `parquet:"second"`
	SecondDistance  float64 `parquet:"second_distance"`
	NearestError    float64 `parquet:"nearest_error"` // px from the projected query to Nearest; +Inf without it

	Mutual     bool  `parquet:"mutual"`  // the query is also the nearest neighbour of Nearest
	Shared     bool  `parquet:"shared"`  // projected into image K: 0 ≤ x ≤ w-1, 0 ≤ y ≤ h-1
	Invalid    bool  `parquet:"invalid"` // the query's own row is invalid
	Candidates int32 `parquet:"candidates"`

	// GalleryLess and GalleryEqual are Less and Equal among the candidates
	// drawn for the query's fixed gallery. They are -1 if no fixed gallery was
	// requested, the query has no ground truth, or image K has too few
	// candidates.
	GalleryLess  int32 `parquet:"gallery_less"`
	GalleryEqual int32 `parquet:"gallery_equal"`
}

// truthInvalid reports whether the query, which is valid, has a ground truth that
// is invalid in every answer, given the number of invalid candidates. Such a
// ground truth ranks behind all candidates that are not answers themselves, a
// valid one before all invalid candidates.
func (q *Query) truthInvalid(invalid int32) bool {
	return !q.Invalid && q.Truth >= 0 && q.Less >= q.Candidates-invalid
}

// A Pair is the record of one image pair and one descriptor.
type Pair struct {
	Descriptor string `parquet:"descriptor,dict"`
	Scene      string `parquet:"scene,dict"`
	K          int32  `parquet:"k"`

	// SceneDigest identifies the scene's images and homographies, SetDigest the
	// keypoints of all its images. They are the keys for joining two runs.
	SceneDigest string `parquet:"scene_digest,dict"`
	SetDigest   string `parquet:"set_digest,dict"`

	Dimension int32 `parquet:"dimension"` // elements per row: numbers or bits

	Width1     int32 `parquet:"width_1"` // of image 1, px
	Height1    int32 `parquet:"height_1"`
	WidthK     int32 `parquet:"width_k"`
	HeightK    int32 `parquet:"height_k"`
	Keypoints1 int32 `parquet:"keypoints_1"` // rows of the set of image 1: the queries
	KeypointsK int32 `parquet:"keypoints_k"` // rows of the set of image K: the candidates
	Invalid1   int32 `parquet:"invalid_1"`   // invalid rows of image 1
	InvalidK   int32 `parquet:"invalid_k"`
	RowBytes   int32 `parquet:"row_bytes"` // bytes of one descriptor during comparison

	// The following are computed by package matching from the keypoints and
	// the homography; see its Facts. Spreads are NaN without keypoints.
	Shared1         int32   `parquet:"shared_1"`
	SharedK         int32   `parquet:"shared_k"`
	Repeated1       int32   `parquet:"repeated_1"`
	RepeatedK       int32   `parquet:"repeated_k"`
	RepeatedOnce    int32   `parquet:"repeated_one_to_one"`
	RepeatErrorSum1 float64 `parquet:"repeat_error_sum_1"`
	RepeatErrorSumK float64 `parquet:"repeat_error_sum_k"`
	CorrectSharedK  int32   `parquet:"correct_shared_k"`
	Spread1         float64 `parquet:"spread_1"`
	SpreadK         float64 `parquet:"spread_k"`

	// RansacCornerError and MagsacCornerError are the corner errors, in px of
	// image K, of the homographies that these estimators find from the mutual
	// matches; +Inf if the estimation failed, NaN if it was not requested.
	RansacCornerError float64 `parquet:"ransac_corner_error"`
	MagsacCornerError float64 `parquet:"magsac_corner_error"`
}
