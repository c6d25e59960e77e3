package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// used is what a command and all its descendants used; memory in bytes.
type used struct {
	Exit       int     `json:"exit"`
	TimedOut   bool    `json:"timed_out"`
	WallS      float64 `json:"wall_s"`
	UserS      float64 `json:"user_s"`
	SystemS    float64 `json:"system_s"`
	PeakPSS    int64   `json:"peak_pss_bytes"`
	PeakHWM    int64   `json:"hwm_bytes"` // of the largest process, as the kernel kept it
	RSSSamples []rss   `json:"rss"`
}

type rss struct {
	AtMS  int64 `json:"at_ms"` // wall clock
	Bytes int64 `json:"bytes"`
}

const sampling = 500 * time.Millisecond

// watch runs a command and writes what it used: `rig watch --out FILE -- command…`.
func watch(args []string) error {
	flags := flag.NewFlagSet("watch", flag.ContinueOnError)
	out := flags.String("out", "", "JSON file")
	limit := flags.Duration("limit", 5*time.Minute, "the command is killed after this time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("watch: expected a command after --")
	}
	command := exec.Command(flags.Arg(0), flags.Args()[1:]...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	started := time.Now()
	if err := command.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- command.Wait() }()
	var u used
	pid := command.Process.Pid
	ticker, timeout := time.NewTicker(sampling), time.After(*limit)
	defer ticker.Stop()
	var err error
	for running := true; running; {
		select {
		case err = <-done:
			running = false
		case <-ticker.C:
			u.sample(pid)
		case <-timeout:
			u.TimedOut = true
			_ = syscall.Kill(-pid, syscall.SIGKILL)
		}
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	u.finish(command.ProcessState, time.Since(started))
	text, err := json.Marshal(u)
	if err != nil {
		return err
	}
	return os.WriteFile(*out, text, 0o644)
}

func (u *used) finish(state *os.ProcessState, wall time.Duration) {
	u.Exit, u.WallS = state.ExitCode(), wall.Seconds()
	u.UserS, u.SystemS = state.UserTime().Seconds(), state.SystemTime().Seconds()
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		u.PeakHWM = max(u.PeakHWM, usage.Maxrss<<10)
	}
}

func (u *used) sample(root int) {
	var pss, resident int64
	for _, pid := range tree(root) {
		pss += field(fmt.Sprintf("/proc/%d/smaps_rollup", pid), "Pss:")
		status := fmt.Sprintf("/proc/%d/status", pid)
		resident += field(status, "VmRSS:")
	}
	u.PeakPSS = max(u.PeakPSS, pss)
	u.RSSSamples = append(u.RSSSamples, rss{AtMS: time.Now().UnixMilli(), Bytes: resident})
}

// tree lists a process and its descendants.
func tree(root int) []int {
	all := []int{root}
	for i := 0; i < len(all); i++ {
		tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", all[i]))
		for _, task := range tasks {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", all[i], task.Name()))
			for _, word := range strings.Fields(string(text)) {
				if pid, err := strconv.Atoi(word); err == nil {
					all = append(all, pid)
				}
			}
		}
	}
	return all
}

// field reads a "Name:   123 kB" line in bytes; 0 where there is none.
func field(path, name string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if rest, found := strings.CutPrefix(lines.Text(), name); found {
			kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kib << 10
		}
	}
	return 0
}
