// Command pause holds the namespaces of a pod: it waits for its end and reaps what the containers of the pod leave.
// The module also names containerd, its shim and its client, which are built from it.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGCHLD)
	for received := range signals {
		if received != syscall.SIGCHLD {
			os.Exit(0)
		}
		for {
			child, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			if child <= 0 || err != nil {
				break
			}
		}
	}
}
