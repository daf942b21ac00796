package main

// #cgo pkg-config: opencv4
// #cgo CXXFLAGS: -std=c++11
import "C"
