// Package tasks measures descriptors of keypoints by verification, matching and
// retrieval, with distractors from other scenes, after two protocols:
//
//   - workbench_tasks, as DescriptorWorkbench does
//     (github.com/F-Sossi/DescriptorWorkbench);
//   - bojanic_2019: Bojanić, Bartol, Pribanić, Petković, Donoso, Mas: On the
//     Comparison of Classic and Deep Keypoint Detector and Descriptor Methods,
//     ISPA 2019 (arXiv 2007.10000).
//
// Both have three parts. A Scene and the Pools of other scenes, one image each,
// give by Record what there is to know of one scene and one descriptor: flat
// records that are stored. An accumulator turns the records of all scenes into
// figures. Every random choice depends on a seed and on what it is made for, so
// that records depend neither on the order of scenes and pools nor on the number
// of workers, and figures not on the order of records. A scene that failed has
// no record and no pool: the accumulator is told by Fail, and names it.
//
// Average precision (AP) here is the sum of precision × rise of recall over the
// distances that occur, without interpolation, equal distances together. A
// descriptor that describes nothing is at infinite distance from everything.
// It is pure Go.
package tasks
