// Package dataset finds, checks and reads scenes in the layout of HPatches
// (Balntas et al., CVPR 2017): one folder per scene with the images 1, 2, … and the
// homographies H_1_2, …, which map image 1 to the others. It also reads the layout of
// the Oxford scenes (Mikolajczyk et al., IJCV 2005): img1.ppm, … and H1to2p, …. HPatches
// and Oxford have six images per scene; other numbers are allowed. Images with cameras are
// listed in files instead.
package dataset
