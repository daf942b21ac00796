// Package estimate estimates homographies from matches with OpenCV.
package estimate
