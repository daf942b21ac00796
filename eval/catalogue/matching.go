package catalogue

const (
	deTone   = "DeTone, Malisiewicz, Rabinovich, SuperPoint, CVPR workshops 2018"
	lowe2004 = "Lowe, Distinctive Image Features from Scale-Invariant Keypoints, IJCV 2004"
	keyNet   = "Barroso-Laguna, Riba, Ponsa, Mikolajczyk, Key.Net, ICCV 2019; hsequeces_bench.py of axelBarroso/Key.Net"
	noPoints = "; 0 in a pair with an image without keypoints"
	fewPairs = "with few pairs: each counts as 0 or 1"

	superGlue   = "Sarlin, DeTone, Malisiewicz, Rabinovich, SuperGlue, CVPR 2020; magicleap/SuperGluePretrainedNetwork, match_pairs.py"
	glueFactory = "glue-factory (Lindenberger, Sarlin, Pollefeys, LightGlue, ICCV 2023)"
	partners    = glueFactory + ", geometry/gt_generation.py and eval/utils.py, whose tables have the median over pairs"
	ofPoses     = "for comparing with values of other estimators or thresholds, or PoseLib's: these move it by ten points and more; for pairs that show a plane, which does not determine a pose"
	poseErrors  = " The error of a pose is the larger of two angles: between the estimated and the true rotation, and between the directions of the translations, whose sign is left open; without a pose it is infinite"
)

// matchingMetrics are the metrics of package matching. A match is what the matcher of
// a descriptor accepts, by default a query and a candidate that are each other's
// nearest neighbour.
var matchingMetrics = []Definition{
	{
		Name: "mma@K", Also: "mean_matching_accuracy@K", Paper: "MMA@K", Of: Matches, UpTo: 20, Group: "matching", Range: asShare, Better: "higher",
		What:   "mean matching accuracy: share of a pair's matches (by default mutual nearest neighbours) at most K px from the projected keypoint, in px of image k, mean over pairs; a pair without matches counts as 0",
		Source: "Dusmanu et al., D2-Net, CVPR 2019; K from 1 to 10; at any other up to 20, computed when it is asked for",
		Use:    "to compare with papers on detectors and learned features; subset:108 is their selection of scenes",
		Avoid:  "without the number of matches: a few confident matches score high",
	},
	{
		Name: "matching_score", Of: Matches, Group: "matching", Range: asShare, Better: "higher",
		What:   "correct matches (within 3 px; by default mutual nearest neighbours) divided by the keypoints in the region that both images show, mean of both directions, mean over pairs; always at 3 px, whatever evaluation.tolerance_px is" + noPoints,
		Source: "Mikolajczyk, Schmid, PAMI 2005; " + deTone,
		Use:    "to judge detector and descriptor together",
		Avoid:  "for judging the descriptor separately: repeatability limits it",
	},
	{
		Name: "repeatability@K", Group: "matching", Range: asShare, Better: "higher",
		What:   "share of the keypoints in the shared region, both images pooled, that have a keypoint of the other image, itself in the shared region, within K px of their projection, in px of the other image; mean over pairs. K is always 3, whatever evaluation.tolerance_px is. With evaluation.shared_top_k, both directions are measured in image k" + noPoints,
		Source: deTone,
		Use:    "to compare detectors at equal numbers of keypoints",
		Avoid:  "for sets of different sizes: in a large set, many keypoints repeat by chance",
	},
	{
		Name: "repeatability_one_to_one@K", Group: "matching", Range: asShare, Better: "higher",
		What:   "like repeatability@K, but of pairs of keypoints that are each other's nearest keypoint: twice the number of pairs with both distances, each in px of the other image, of at most K, divided by the keypoints of both images in the shared region; mean over pairs" + noPoints,
		Source: "one-to-one as in Schmid, Mohr, Bauckhage, IJCV 2000; nearest by position",
		Use:    "when several keypoints share a position, for example SIFT keypoints with several orientations",
		Avoid:  "for comparing with papers that count every keypoint with a neighbour",
	},
	{
		Name: "localization_error", Group: "matching", Range: "0 to 3 px", Unit: Pixels, Better: "lower",
		What:   "mean distance in px between repeated keypoints and their neighbours, mean over pairs",
		Source: deTone,
		Use:    "next to repeatability, to see how accurately keypoints are localised",
		Avoid:  "for judging a descriptor: it does not affect this metric",
	},
	{
		Name: "known", Group: "matching", Range: asShare,
		What:   "share of all queries of which depth says whether a match is correct: there is depth at the query and, if it is inside image k, at its projection. All other metrics that need places leave out the rest. Of images with cameras and depth only",
		Source: "descriptive",
		Use:    "next to coverage and mma@K: two detectors can only be compared on the parts of the images where there is depth",
		Avoid:  noQuality,
	},
	{
		Name: "ratio_precision@K", Group: "matching", Range: asShare, Better: "higher",
		What:   "share of correct nearest neighbours among the queries that pass the ratio test (nearest distance / second nearest distance ≤ K); K from 0.50 to 1.00",
		Source: lowe2004,
		Use:    "to choose the threshold of the ratio test for a descriptor",
		Avoid:  "for comparing descriptors at one threshold: their ratios are distributed differently; compare the curves",
	},
	{
		Name: "ratio_recall@K", Group: "matching", Range: asShare, Better: "higher",
		What:   "correct nearest neighbours that pass the ratio test at K, divided by the queries that have a correspondence",
		Source: lowe2004 + "; recall: Mikolajczyk, Schmid, PAMI 2005",
		Use:    "together with ratio_precision@K",
		Avoid:  "by itself: at 1.00 every nearest neighbour passes",
	},
	{
		Name: "match_precision_median@K", Of: Matches, Pooled: AsMedian, Group: "matching", Range: asShare, Better: "higher",
		What:   "share of a pair's matches within K px (1, 3, 5) of the projected keypoint, median over pairs; a pair without matches counts as 0",
		Source: "like symmetric_precision_median@K, but with the error in image k only",
		Use:    "beside mma@K, to see typical pairs; not to compare with glue-factory, whose error is symmetric",
		Avoid:  "with few pairs; without the number of matches: a few confident matches score high",
	},
	{
		Name: "reproj_precision@K", Also: "reproj_prec@K", Of: Matches, Group: "matching", Range: asShare, Better: "higher",
		What:   "share of a pair's matches whose error is below K px (1, 3, 5), the error being the mean of the distances in both images; mean over pairs; a pair without matches counts as 0",
		Source: glueFactory + ", eval/utils.py, which prints the median over pairs (symmetric_precision_median@K)", Use: "like mma@K, for matches that are not of one direction", Avoid: "for comparing with mma@K, which takes the error in image k only",
	},
	{
		Name: "gt_match_recall@K", Of: Matches, Group: "matching", Range: asShare, Better: "higher",
		What:   "share of the keypoints of image 1 with a partner that are matched with it, mean over pairs; a pair without partners counts as 0. Two keypoints are partners if each is the nearest one of the other and they are less than K px (3) apart, by the larger of the distances in both images",
		Source: partners, Use: "to see what a matcher misses of what the detector makes possible; next to gt_match_precision@K", Avoid: "for comparing detectors: fewer keypoints are easier",
	},
	{
		Name: "gt_match_precision@K", Of: Matches, Group: "matching", Range: asShare, Better: "higher",
		What:   "share of the matches that are of partners (see gt_match_recall@K), mean over pairs; a pair without matches counts as 0. Matches of keypoints that are neither partners nor more than 5 px from every keypoint of image k are left out",
		Source: partners, Use: "next to gt_match_recall@K", Avoid: "as the precision of positions: a match of a keypoint beside the partner is wrong; mma@K and reproj_precision@K count it",
	},
	{
		Name: "symmetric_precision_median@K", Also: "mprec@K", Of: Matches, Pooled: AsMedian, Group: "matching", Range: asShare, Better: "higher",
		What:   "share of a pair's matches whose error is below K px (1, 3), the error being the mean of the distances in both images; median over pairs; a pair without matches counts as 0",
		Source: "glue-factory (Lindenberger, Sarlin, Pollefeys, LightGlue, ICCV 2023), eval_matches_homography",
		Use:    "to compare with tables that glue-factory computes",
		Avoid:  "with few pairs; without the number of matches: a few confident matches score high",
	},
	{
		Name: "match_recall@K", Of: Matches, Group: "matching", Range: asShare, Better: "higher",
		What:   "correct matches divided by the keypoints of image 1 that have a keypoint of image k within K px of their projection, mean over pairs; a pair without such keypoints is left out. K is always 3, whatever evaluation.tolerance_px is",
		Source: "Mikolajczyk, Schmid, PAMI 2005",
		Use:    "together with mma@3, the precision of the same matches",
		Avoid:  "for comparing keypoint sets: it leaves out what the detector missed",
	},
	{
		Name: "matches_per_pair", Short: "matches", Of: Matches, Group: "matching", Range: "0 or more", Unit: MeanCount,
		What: "number of matches of the descriptor's matcher, mean over pairs", Source: "descriptive",
		Use: "next to mma and homography accuracy", Avoid: noQuality + ": wrong matches count too",
	},
	{
		Name: "matches_per_pair_median", Short: "matches_median", Also: "mnum_matches", Of: Matches, Pooled: AsMedian, Group: "matching", Range: "0 or more", Unit: Median,
		What: "number of matches of the descriptor's matcher, median over pairs", Source: "glue-factory",
		Use: "next to symmetric_precision_median", Avoid: noQuality + ": wrong matches count too",
	},
	{
		Name: "mutual_matches_per_pair", Group: "matching", Range: "0 or more", Unit: MeanCount,
		What: "number of mutual nearest neighbours, mean over pairs", Source: deTone,
		Use: "next to mma and homography accuracy", Avoid: noQuality + ": wrong matches count too",
	},
	{
		Name: "total_mutual_matches", Group: "matching", Range: "0 or more", Unit: Count,
		What: "number of mutual nearest neighbours in all pairs", Source: deTone,
		Use: "next to mma", Avoid: noQuality + ": wrong matches count too",
	},
	{
		Name: "inlier_share", Of: Matches, Group: "matching", Range: asShare, Better: "higher",
		What:   "share of all matches, pooled over pairs, that lie within the tolerance of the projected keypoint",
		Source: "Mikolajczyk, Schmid, PAMI 2005 (1 - precision)",
		Use:    "to see how many outliers an estimator has to reject",
		Avoid:  "for comparing scenes: pairs with many matches dominate it",
	},
	{
		Name: "keypoints_per_image", Group: "matching", Range: "0 or more", Unit: MeanCount,
		What: "number of keypoints, mean over images", Source: "descriptive",
		Use: "next to every metric: many depend on the size of the sets", Avoid: noQuality,
	},
	{
		Name: "keypoint_spread", Group: "matching", Range: asShare, Better: "higher",
		What:   "entropy of the distribution of keypoints over an 8×8 grid, divided by its maximum of 6 bits, mean over images",
		Source: "Shannon entropy",
		Use:    "to see whether keypoints cover the image, as homography estimation requires",
		Avoid:  "for images with few keypoints: fewer than 64 cannot reach 1",
	},
	{
		Name: "bytes_per_descriptor", Group: "matching", Range: "1 or more", Unit: Count, Better: "lower",
		What: "memory of one descriptor during comparison, in whole bytes: 44 bits take 6", Source: "descriptive",
		Use: "to weigh quality against cost", Avoid: "as the size on disk",
	},
	{
		Name: "keynet_repeatability", Group: "matching", Range: asShare, Better: "higher",
		What:   "number of keypoints whose circle overlaps that of a keypoint of the other image by at least 60 % (intersection over union, in image 1; one to one, largest overlaps first), divided by the smaller number of keypoints in the region of evaluation.shared_region: keynet; mean over pairs. The size of a keypoint is the radius of its circle; in the other image, of the circle with the area that the homography gives it near the keypoint. The radii of two circles are scaled until the larger is 30 px",
		Source: keyNet, Use: "to compare with tables that this code prints (Rep. Multi)",
		Avoid: "for comparing with overlaps by VLBenchmarks or VGG, which scale the distance of the circles as well",
	},
	{
		Name: "keynet_repeatability_single_scale", Group: "matching", Range: asShare, Better: "higher",
		What: "like keynet_repeatability, but all circles have a radius of 30 px", Source: keyNet,
		Use: "to judge positions, not sizes (Rep. Single)", Avoid: "for comparing with repeatability@3: 60 % is a distance below 12 px",
	},
	{
		Name: "keynet_overlap_error", Group: "matching", Range: "0 to 0.4", Unit: Measure, Better: "lower",
		What:   "1 - overlap, mean over the circles that keynet_repeatability counts in a pair, 0 if there are none; mean over pairs",
		Source: keyNet + ", which prints it as Overlap Single", Use: "next to keynet_repeatability", Avoid: "without it: a few good circles give a low error",
	},
	{
		Name: "keynet_overlap_error_single_scale", Group: "matching", Range: "0 to 0.4", Unit: Measure, Better: "lower",
		What:   "like keynet_overlap_error, but of the circles of keynet_repeatability_single_scale",
		Source: keyNet + ", which prints it as Overlap Multi", Use: "next to keynet_repeatability_single_scale", Avoid: "without it: a few good circles give a low error",
	},
	{
		Name: "keynet_matching_score@K", Of: Matches, Group: "matching", Range: asShare, Better: "higher",
		What:   "matches with an error of less than K px (1 to 10) in image 1, divided by the smaller number of keypoints in the region of evaluation.shared_region: keynet; mean over pairs",
		Source: keyNet + ", which calls it MMA", Use: "to compare with tables that this code prints, at 5 px", Avoid: "for comparing with mma@K, which divides by the matches",
	},
	{
		Name: "keynet_matching_score_mean", Of: Matches, Group: "matching", Range: asShare, Better: "higher",
		What: "mean of keynet_matching_score@K over K from 1 to 10", Source: keyNet,
		Use: "like keynet_matching_score@K", Avoid: "for comparing with mma@K, which divides by the matches",
	},
	{
		Name: "keynet_match_recall@K", Of: Matches, Group: "matching", Range: asShare, Better: "higher",
		What:   "matches with an error of less than K px (5) in image 1, divided by the keypoints of image 1 that have a keypoint of image k within K px; mean over pairs",
		Source: keyNet + ", MMA (possible matches)", Use: "to judge descriptors apart from the detector", Avoid: "for comparing detectors",
	},
	{
		Name: "keynet_correct_matches@K", Of: Matches, Group: "matching", Range: "0 or more", Unit: MeanCount,
		What: "number of matches with an error of less than K px (5) in image 1, mean over pairs", Source: keyNet,
		Use: "next to keynet_matching_score@K", Avoid: noQuality,
	},
	{
		Name: "keynet_keypoints", Group: "matching", Range: "1 or more", Unit: MeanCount,
		What: "smaller number of keypoints in the region of evaluation.shared_region: keynet, mean over pairs", Source: keyNet,
		Use: "next to the other metrics of Key.Net", Avoid: noQuality,
	},
	{
		Name: "ESTIMATOR_homography_accuracy@K", Also: "homography_accuracy@K", Of: Homographies, Needs: "estimator_draws", UpTo: 20, Group: "matching", Range: asShare, Better: "higher",
		What:   "share of pairs whose homography, estimated from the matches, has a corner error of at most K px (1, 3, 5, 7, 10; any other up to 20 is computed when it is asked for): the mean distance of the mapped corners of image 1, (0, 0) to (w-1, h-1), from their true positions in image k. Without a homography, the error is infinite. ESTIMATOR is ransac or magsac (MAGSAC++), both with an inlier threshold of 3 px; another of OpenCV's (usac_...); or dlt, which solves linear equations for all matches, including wrong ones. homography_accuracy@K stands for all estimators of a run. All but dlt draw samples, which depend on the order of the matches: the value is the mean over evaluation.estimator_draws (5; 1 under presets) of the matches in random orders, and ESTIMATOR_homography_accuracy@K_std their standard deviation. Parameters follow the name of the estimator: inlier threshold (0.5px; 3px480: in an image with a short side of 480 px), number of samples (3000it), confidence (0.9999c), number of estimates of a draw from shuffled matches, whose errors count like those of as many pairs (5x), OpenCV's homography as it is (opencv), matches weighted by their scores (scored), the solution h of AᵀWA·h = (1, ..., 1), as kornia finds it (system), corners (0, 0) to (w, h) (wh), errors in an image with a short side of 480 px (e480)",
		Source: deTone + "; RANSAC: OpenCV's inliers, refined by normalised DLT and Levenberg-Marquardt (Hartley & Zisserman), at most 2000 samples, confidence 0.995; MAGSAC++: Barath, Noskova, Ivashechkin, Matas, CVPR 2020, OpenCV's USAC_MAGSAC, at most 100000 samples, confidence 0.99999; DLT, both images normalised to a mean distance of √2: Hartley & Zisserman, Multiple View Geometry, 2nd edition, algorithm 4.2",
		Use:    "to judge matches by their purpose, estimating a homography: with magsac if many matches are wrong, with dlt for matchers that already reject wrong ones, such as LightGlue",
		Avoid:  fewPairs + "; with the best of several thresholds chosen on the same scenes: results --best-of also chooses it on the others; with dlt for nearest neighbours without further tests: a single wrong match spoils it",
	},
	{
		Name: "ESTIMATOR_homography_auc@K", Also: "homography_auc@K", Paper: "ESTIMATOR homography AUC@K", Of: Homographies, Needs: "estimator_draws", Pooled: AsArea, UpTo: 20, Group: "matching", Range: asShare, Better: "higher",
		What:   "area under the curve of the share of pairs with a corner error (the mean over the four corners) of at most t, for t from 0 to K px, divided by K, which is as in ESTIMATOR_homography_accuracy@K. The curve joins (0, 0) and the points (i-th smallest error, i / number of pairs) by straight lines, and is constant from the last error below K. Estimated like ESTIMATOR_homography_accuracy@K: of several draws, the mean of their areas, with ESTIMATOR_homography_auc@K_std",
		Source: "Sarlin, DeTone, Malisiewicz, Rabinovich, SuperGlue, CVPR 2020; with dlt: glue-factory",
		Use:    "like ESTIMATOR_homography_accuracy@K, with finer resolution", Avoid: "for comparing estimators; for comparing scopes with different numbers of pairs: with few pairs it is larger; at 1 px for comparing detectors: positions of OpenCV's SIFT are 0.25 px too large in x and in y (opencv issue 23123), so that those of an image and its half turn differ by 0.5 px in both, those of an image and its enlargement by s by (1-s)/4; ORB's differ by about 0.6 px after a half turn, those of AKAZE, KAZE and SURF by 0",
	},
	{
		Name: "ESTIMATOR_pose_auc@K", Also: "pose_auc@K", Paper: "ESTIMATOR pose AUC@K", Of: Poses, Needs: "pose_draws", Pooled: AsArea, UpTo: 90, Group: "matching", Range: asShare, Better: "higher",
		What:   "area under the curve of the share of pairs with an error of the relative pose of at most t, for t from 0 to K degrees (5, 10, 20; any other up to 90 is computed when it is asked for), divided by K, as in ESTIMATOR_homography_auc@K; for images with cameras." + poseErrors + ". ESTIMATOR is essential, OpenCV's findEssentialMat and recoverPose with RANSAC: inliers within 1 px of their epipolar line, divided by the mean focal length, at most 1000 samples, confidence 0.99999; or essential_magsac, essential_usac_default, essential_usac_fast or essential_usac_accurate, USAC's methods. Parameters follow the name: inlier threshold (0.5px), number of samples (10000it), confidence (0.999c), number of estimates of a draw from shuffled matches, whose errors count like those of as many pairs (5x), the focal lengths that SuperGlue's code takes, fx of image 1 and fy of image k (superglue), threshold in px of the images before they were resized (original). pose_auc@K stands for all estimators of a run. With evaluation.pose_draws above 1, the value is the mean over so many draws of the matches in random orders, and ESTIMATOR_pose_auc@K_std their standard deviation. Values may depend on the BLAS library in the last digits",
		Source: superGlue + "; the five-point algorithm: Nistér, PAMI 2004",
		Use:    "to judge matches by their purpose, estimating a pose", Avoid: ofPoses + "; for differences of a few points on few pairs: the order of the matches alone moves it (evaluation.pose_draws shows by how much)",
	},
	{
		Name: "ESTIMATOR_pose_accuracy@K", Also: "pose_accuracy@K", Of: Poses, Needs: "pose_draws", UpTo: 90, Group: "matching", Range: asShare, Better: "higher",
		What:   "share of pairs with an error of the relative pose of at most K degrees (as in ESTIMATOR_pose_auc@K), estimated like ESTIMATOR_pose_auc@K." + poseErrors,
		Source: "XFeat's mAcc@K: Potje et al., CVPR 2024; verlab/accelerated_features", Use: "like ESTIMATOR_pose_auc@K, where a fixed error is good enough", Avoid: ofPoses + "; next to AUC as if it were one: it is larger",
	},
	{
		Name: "ESTIMATOR_pose_maa@K", Also: "pose_maa@K", Paper: "ESTIMATOR pose mAA@K", Of: Poses, Needs: "pose_draws", Group: "matching", Range: asShare, Better: "higher",
		What:   "mean average accuracy: mean over k = 1, 2, ..., K (10) of the share of pairs with an error of the relative pose below k degrees, K itself included, estimated like ESTIMATOR_pose_auc@K." + poseErrors,
		Source: "Jin et al., Image Matching across Wide Baselines, IJCV 2021; ubc-vision/image-matching-benchmark, compute_qt_auc", Use: "to compare with that benchmark and its challenges", Avoid: "for comparing with ESTIMATOR_pose_auc@10, which is a few points lower; " + ofPoses,
	},
	{
		Name: "ESTIMATOR_rotation_error_median", Also: "rotation_error_median", Of: Poses, Needs: "pose_draws", Pooled: AsMedian, Group: "matching", Range: "degrees, 0 to 180", Unit: Measure, Better: "lower",
		What:   "angle in degrees between the estimated and the true rotation from image 1 to image k, median over pairs, infinite without a pose; not reported if the median is infinite. Estimated like ESTIMATOR_pose_auc@K",
		Source: "median errors as in Kendall, Grimes, Cipolla, PoseNet, ICCV 2015", Use: "to see whether rotation or translation limits the pose", Avoid: "by itself: it says nothing about the pairs that fail",
	},
	{
		Name: "ESTIMATOR_translation_error_median", Also: "translation_error_median", Of: Poses, Needs: "pose_draws", Pooled: AsMedian, Group: "matching", Range: "degrees, 0 to 90", Unit: Measure, Better: "lower",
		What:   "angle in degrees between the directions of the estimated and the true translation, whose sign is left open, median over pairs, like ESTIMATOR_rotation_error_median",
		Source: superGlue, Use: "to see whether rotation or translation limits the pose", Avoid: "for pairs with a short baseline, whose direction is uncertain",
	},
	{
		Name: "epipolar_precision@K", Of: Matches, Group: "matching", Range: asShare, Better: "higher",
		What:   "share of a pair's matches whose symmetric epipolar error is below K (1e-4, 5e-4, 1e-3), mean over pairs; a pair without matches counts as 0. The error is the sum of the squared distances from the epipolar lines in both images, in units of the focal lengths: 5e-4 allows 0.016 of a focal length in each, 16 px at 1000 px",
		Source: superGlue + "; LoFTR recommends 1e-4 on MegaDepth-1500", Use: "to compare with SuperGlue, LoFTR and those that follow them (P, Prec)",
		Avoid: "for comparing with epipolar_error_precision@K, which has the same name in glue-factory, but is much stricter; as the share of correct matches: a wrong one can be near its line",
	},
	{
		Name: "epipolar_error_precision@K", Also: "epi_prec@K", Of: Matches, Group: "matching", Range: asShare, Better: "higher",
		What:   "like epipolar_precision@K, but of the mean of both distances, not squared: 5e-4 is 0.5 px at a focal length of 1000 px. Divisors are at least 0.001, which concerns baselines below that length",
		Source: glueFactory + ", eval_matches_epipolar", Use: "to compare with tables that glue-factory computes", Avoid: "for comparing with epipolar_precision@K; as the share of correct matches: a wrong one can be near its line",
	},
	{
		Name: "epipolar_matching_score@K", Of: Matches, Group: "matching", Range: asShare, Better: "higher",
		What:   "matches that epipolar_precision@K counts (5e-4), divided by the keypoints of image 1, mean over pairs; a pair without keypoints in image 1 counts as 0",
		Source: superGlue, Use: "to compare with SuperGlue (MS, MScore)", Avoid: "for comparing with matching_score, which divides by the keypoints that both images show",
	},
	{
		Name: "pairs_below_5_matches", Of: Matches, Group: "matching", Range: "0 or more", Unit: Count, Better: "lower",
		What: "number of pairs with fewer than five matches, from which no pose is estimated", Source: "descriptive",
		Use: "next to ESTIMATOR_pose_auc@K: hardly any other pair is left without a pose, however wrong", Avoid: noQuality,
	},
}
