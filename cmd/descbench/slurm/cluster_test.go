// Package slurm runs descbench under Slurm: it starts a cluster of one machine with
// four slots, from the packages slurm-wlm and munge. make test-slurm installs them.
// Where they are not installed, or for users other than root, its tests are skipped.
package slurm

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"text/template"
	"time"

	"descbench/eval/must"
)

// patience is how long anything may take on a busy machine.
const patience = 10 * time.Minute

// slurmConf needs neither systemd nor control groups. A requeued job may start again
// after cred_expire, 2 minutes by default.
var slurmConf = template.Must(template.New("slurm.conf").Parse(`
ClusterName=test
SlurmctldHost={{.Host}}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={{.Dir}}/munge.sock,cred_expire=5
CredType=cred/munge
SlurmctldPort={{.ControllerPort}}
SlurmdPort={{.NodePort}}
SlurmctldPidFile={{.Dir}}/slurmctld.pid
SlurmdPidFile={{.Dir}}/slurmd.pid
StateSaveLocation={{.Dir}}/state
SlurmdSpoolDir={{.Dir}}/spool
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MpiDefault=none
ReturnToService=2
MinJobAge=3600
KillWait=2
SlurmdParameters=config_overrides
NodeName=node NodeHostname={{.Host}} NodeAddr=127.0.0.1 CPUs=4 RealMemory=8000 State=UNKNOWN
PartitionName=batch Nodes=node Default=YES MaxTime=INFINITE State=UP
`))

// A cluster is a running Slurm.
type cluster struct {
	t    *testing.T
	dir  string // its files
	conf string
}

// startCluster starts a cluster that ends with the test.
func startCluster(t *testing.T) *cluster {
	t.Helper()
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch", "scontrol"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed; make test-slurm installs Slurm and runs this test", name)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("slurmd starts jobs as root only")
	}
	dir, err := os.MkdirTemp("", "slurm") // a socket's path is short
	must.Do(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	c := &cluster{t, dir, filepath.Join(dir, "slurm.conf")}
	host := must.Get(os.Hostname())(t)
	host, _, _ = strings.Cut(host, ".")
	var conf bytes.Buffer
	err = slurmConf.Execute(&conf, map[string]any{"Dir": dir, "Host": host, "ControllerPort": freePort(t), "NodePort": freePort(t)})
	must.Do(t, err)
	c.write("slurm.conf", conf.String())
	c.write("key", rand.Text()+rand.Text())
	for _, name := range []string{"state", "spool"} {
		must.Do(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	c.start("munged", "--foreground", "--force", "--socket="+in("munge.sock"), "--key-file="+in("key"),
		"--log-file="+in("munged.log"), "--pid-file="+in("munged.pid"), "--seed-file="+in("munged.seed"))
	c.until("munged listens", func() bool { _, err := os.Stat(in("munge.sock")); return err == nil })
	c.start("slurmctld", "-D", "-i", "-f", c.conf)
	c.until("slurmctld answers", func() bool { _, err := c.try(dir, "sinfo"); return err == nil })
	c.start("slurmd", "-D", "-N", "node", "-f", c.conf)
	c.until("the node is idle", func() bool {
		out, _ := c.try(dir, "sinfo", "--noheader", "--format=%t")
		return strings.TrimSpace(out) == "idle"
	})
	t.Cleanup(func() { // before the daemons end
		_, _ = c.try(dir, "scancel", "--user=root") // there may be none
		c.until("all jobs have ended", func() bool { out, err := c.try(dir, "squeue", "--noheader"); return err == nil && out == "" })
	})
	return c
}

func freePort(t *testing.T) int {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func (c *cluster) write(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// start starts a daemon that ends with the test. A failed test shows what it said.
func (c *cluster) start(name string, args ...string) {
	c.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "SLURM_CONF="+c.conf)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		if c.t.Failed() {
			c.t.Logf("%s:\n%s", name, said.String())
		}
	})
}

// until waits for something to become true.
func (c *cluster) until(what string, is func() bool) {
	c.t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(patience); !is(); {
		select {
		case <-tick.C:
		case <-end:
			c.t.Fatalf("waited %v for: %s", patience, what)
		}
	}
}

// try runs a command as a user of the cluster would, in a folder.
func (c *cluster) try(dir, name string, args ...string) (stdout string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SLURM_CONF="+c.conf)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, stderr.String())
	}
	return string(out), err
}

// do is try for a command that must succeed.
func (c *cluster) do(dir, name string, args ...string) (stdout string) {
	c.t.Helper()
	out, err := c.try(dir, name, args...)
	if err != nil {
		c.t.Fatal(err)
	}
	return out
}

// job returns what Slurm tells about a job, or about all tasks of an array.
func (c *cluster) job(id string) string {
	c.t.Helper()
	return c.do(c.dir, "scontrol", "--oneliner", "show", "job", id)
}
