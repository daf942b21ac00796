package estimate_test
import ("strings";"sync";"gocv.io/x/gocv";"testing";"fmt";"descbench/pipeline/estimate";"time";"descbench/keypoints")
func TestProbe(t *testing.T){
 for _,e:=range estimate.Estimators(){
  for _,o:=range []float64{0.3,0.5,0.7,0.8,0.9,1.0}{
   src,dst,_:=matches(truths["tilt"],1500,o,.7,3)
   s:=time.Now()
   h,in,ok,err:=estimate.Homography(src,dst,e)
   n:=0; for _,v:=range in{if v{n++}}
   fmt.Println(e,o,time.Since(s),ok,err,n,estimate.CornerError(h,truths["tilt"],width,height))
  }
  // degenerate
  line:=func(n int, f func(i int)(float32,float32)) (a,b []estimate.Point){ for i:=range n{x,y:=f(i);a=append(a,estimate.Point{x,y}); u,v:=truths["tilt"].Apply(float64(x),float64(y)); b=append(b,estimate.Point{float32(u),float32(v)})};return}
  for _,n:=range []int{4,5,10,100}{
   a,b:=line(n,func(i int)(float32,float32){return float32(10+7*i),float32(20+ 3*i)})
   h,_,ok,err:=estimate.Homography(a,b,e); fmt.Println("line",n,e,ok,err,h)
   a,b=line(n,func(i int)(float32,float32){return float32(10+7.123*float32(i)),float32(20+ 3.345*float32(i))})
   h,_,ok,err=estimate.Homography(a,b,e); fmt.Println("rounded line",n,e,ok,err,h)
   a,b=line(n,func(i int)(float32,float32){return 50,60})
   h,_,ok,err=estimate.Homography(a,b,e); fmt.Println("one point",n,e,ok,err,h)
   a,b=line(n,func(i int)(float32,float32){ if i==0 {return 100,200}; return float32(10+7*i),float32(20+ 3*i)})
   h,_,ok,err=estimate.Homography(a,b,e); fmt.Println("line+1",n,e,ok,err,h)
   a,b=line(n,func(i int)(float32,float32){ if i<=1 {return float32(100+i),float32(200-5*i)}; return float32(10+7*i),float32(20+ 3*i)})
   h,_,ok,err=estimate.Homography(a,b,e); fmt.Println("line+2",n,e,ok,err,h, estimate.CornerError(h,truths["tilt"],width,height))
  }
 }
 _=keypoints.Identity
}
var _ = strings.Fields; var _ sync.Mutex; var _ gocv.Mat
