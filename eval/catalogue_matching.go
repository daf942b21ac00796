package eval

const (
	deTone    = "DeTone, Malisiewicz, Rabinovich, SuperPoint, CVPR workshops 2018"
	lowe2004  = "Lowe, Distinctive Image Features from Scale-Invariant Keypoints, IJCV 2004"
	unlikeMAP = "of descriptors on different keypoint sets without repeatability and the number of keypoints beside it"
)

// matchingMetrics are those of package matching. A match is a query and its
// nearest neighbour that are each other's nearest.
var matchingMetrics = []Definition{
	{
		Name: "mma@K", Also: "mean_matching_accuracy@K", Group: "matching", Range: asShare, Better: "higher",
		What:   "share of a pair's mutual nearest neighbours that lie within K px of the projected keypoint, mean over pairs; a pair without a match counts 0",
		Source: "Dusmanu et al., D2-Net, CVPR 2019; K from 1 to 10",
		Use:    "to compare with papers on detectors and learned features; subset:108 is their choice of scenes",
		Avoid:  "without the number of matches beside it: few sure matches score high",
	},
	{
		Name: "matching_score", Group: "matching", Range: asShare, Better: "higher",
		What:   "correct mutual matches (within 3 px) by keypoints in the region that both images show, mean of both directions, mean over pairs",
		Source: "Mikolajczyk, Schmid, PAMI 2005; " + deTone,
		Use:    "to judge detector and descriptor together",
		Avoid:  "to judge a descriptor alone: it is bounded by repeatability",
	},
	{
		Name: "repeatability@K", Group: "matching", Range: asShare, Better: "higher",
		What:   "share of the keypoints in the shared region, of both images together, that have a keypoint of the other image within K px (3)",
		Source: deTone,
		Use:    "to compare detectors at equal numbers of keypoints",
		Avoid:  "for sets of different sizes: many keypoints repeat by chance",
	},
	{
		Name: "repeatability_one_to_one@K", Group: "matching", Range: asShare, Better: "higher",
		What:   "the same, but a keypoint counts only with a partner whose nearest it is in turn",
		Source: "as Schmid, Mohr, Bauckhage, IJCV 2000, demand one partner; nearest by position",
		Use:    "where several keypoints lie at one place, as SIFT's with several orientations do",
		Avoid:  "to compare with papers that count every keypoint with a neighbour",
	},
	{
		Name: "localization_error", Group: "matching", Range: "0 to 3 px", Better: "lower",
		What:   "mean distance of repeated keypoints from their neighbours, px, mean over pairs",
		Source: deTone,
		Use:    "beside repeatability, to see how exactly keypoints lie",
		Avoid:  "as a figure of a descriptor: it takes no part",
	},
	{
		Name: "ratio_precision@K", Group: "matching", Range: asShare, Better: "higher",
		What:   "of the queries whose nearest distance is at most K of the second nearest, the share whose nearest neighbour is correct; K from 0.50 to 1.00",
		Source: lowe2004,
		Use:    "to choose the threshold of the ratio test for a descriptor",
		Avoid:  "to compare at one threshold: descriptors differ in how ratios are distributed; compare the curves",
	},
	{
		Name: "ratio_recall@K", Group: "matching", Range: asShare, Better: "higher",
		What:   "correct nearest neighbours that pass the ratio test at K by queries that have a correspondence",
		Source: lowe2004 + "; recall: Mikolajczyk, Schmid, PAMI 2005",
		Use:    "together with ratio_precision@K",
		Avoid:  "alone: a threshold of 1.00 lets everything pass",
	},
	{
		Name: "mutual_matches_per_pair", Group: "matching", Range: "0 or more", Better: "",
		What: "mutual nearest neighbours, mean over pairs", Source: deTone,
		Use: "beside mma and homography accuracy", Avoid: "as quality: wrong matches count",
	},
	{
		Name: "total_mutual_matches", Group: "matching", Range: "0 or more", Better: "",
		What: "mutual nearest neighbours of all pairs", Source: deTone,
		Use: "beside mma", Avoid: "as quality: wrong matches count",
	},
	{
		Name: "inlier_share", Group: "matching", Range: asShare, Better: "higher",
		What:   "share of all mutual matches, pooled over pairs, that lie within the tolerance of the projected keypoint",
		Source: "Mikolajczyk, Schmid, PAMI 2005 (1 - precision)",
		Use:    "to see what an estimator has to bear",
		Avoid:  "to compare scenes: pairs with many matches decide it",
	},
	{
		Name: "keypoints_per_image", Group: "matching", Range: "0 or more", Better: "",
		What: "keypoints, mean over images", Source: "counted",
		Use: "beside every figure: sizes of sets decide many of them", Avoid: "as quality",
	},
	{
		Name: "keypoint_spread", Group: "matching", Range: asShare, Better: "higher",
		What:   "entropy of the keypoints' distribution over an 8×8 grid, by its largest value of 6 bits, mean over images",
		Source: "Shannon entropy",
		Use:    "to see whether keypoints cover the image, which estimating a homography needs",
		Avoid:  "for images with few keypoints: 64 are needed to reach 1",
	},
	{
		Name: "bytes_per_descriptor", Group: "matching", Range: "1 or more", Better: "lower",
		What: "memory of one row as it is compared", Source: "counted",
		Use: "to weigh quality against cost", Avoid: "as the size on disk",
	},
	{
		Name: "ransac_homography_accuracy@K", Group: "matching", Range: asShare, Better: "higher",
		What:   "share of pairs whose homography, estimated from the mutual matches by RANSAC, moves the corners of image 1 by at most K px (1, 3, 5) on average",
		Source: deTone + "; OpenCV's RANSAC, 3 px, at most 2000 samples, confidence 0.995",
		Use:    "to judge what matches are for", Avoid: "with few pairs: each counts 0 or 1",
	},
	{
		Name: "ransac_homography_auc@K", Group: "matching", Range: asShare, Better: "higher",
		What:   "area under the share of pairs over the corner error up to K px, by K",
		Source: "Sarlin, DeTone, Malisiewicz, Rabinovich, SuperGlue, CVPR 2020",
		Use:    "as ransac_homography_accuracy@K, with finer steps", Avoid: "to compare across estimators",
	},
	{
		Name: "magsac_homography_accuracy@K", Group: "matching", Range: asShare, Better: "higher",
		What:   "as ransac_homography_accuracy@K, estimated by MAGSAC++",
		Source: "Barath, Noskova, Ivashechkin, Matas, MAGSAC++, CVPR 2020; OpenCV's USAC_MAGSAC, 3 px, at most 100000 samples, confidence 0.99999",
		Use:    "to judge matches with an estimator that bears many wrong ones", Avoid: "with few pairs: each counts 0 or 1",
	},
	{
		Name: "magsac_homography_auc@K", Group: "matching", Range: asShare, Better: "higher",
		What:   "as ransac_homography_auc@K, estimated by MAGSAC++",
		Source: "Barath et al. 2020; area: Sarlin et al., SuperGlue, CVPR 2020",
		Use:    "as magsac_homography_accuracy@K, with finer steps", Avoid: "to compare across estimators",
	},
}
