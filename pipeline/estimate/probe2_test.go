package estimate_test
import ("testing";"fmt";"time";"gocv.io/x/gocv";"descbench/pipeline/estimate";"descbench/keypoints")
func fh(src,dst []estimate.Point,m int,thr float64,it int,c float64)(keypoints.Homography,int){
 mk:=func(p []estimate.Point)gocv.Mat{x:=gocv.NewMatWithSize(len(p),2,gocv.MatTypeCV32FC1);v,_:=x.DataPtrFloat32();for i,q:=range p{v[2*i]=q.X;v[2*i+1]=q.Y};return x}
 a,b:=mk(src),mk(dst);mask:=gocv.NewMat();h:=gocv.FindHomography(a,b,gocv.HomographyMethod(m),thr,&mask,it,c)
 if h.Empty(){return keypoints.Homography{},0}
 v,_:=h.DataPtrFloat64();mm,_:=mask.DataPtrUint8();n:=0;for _,z:=range mm{n+=int(z)&1}
 return keypoints.Homography(append([]float64(nil),v...)),n
}
func TestProbe2(t *testing.T){
 for _,m:=range []int{8,32,35,36,38}{
 for _,o:=range []float64{0.5,.7,.8,.9}{
 for _,c:=range []struct{it int;c float64}{{2000,.995},{10000,.995},{10000,.9999},{10000,.9999999},{100000,.99999999999}}{
  okc:=0; var el time.Duration
  for seed:=range uint64(20){
   src,dst,_:=matches(truths["tilt"],1000,o,.7,seed)
   s:=time.Now(); h,_:=fh(src,dst,m,3,c.it,c.c); el+=time.Since(s)
   if estimate.CornerError(h,truths["tilt"],width,height)<3{okc++}
  }
  fmt.Println(m,o,c,okc,"/20",el/20)
 }}}
}
