// Command kubernetes-node runs one part of a Kubernetes node, for tests; its first argument names the part.
// The parts share most of their packages with each other and with kubernetes-plane, from whose build only these remain to be compiled.
// It ends when its standard input does, so that it never outlives the test that holds the other end.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/ready"
	"k8s.io/component-base/cli"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	part := os.Args[1]
	os.Args = os.Args[1:]
	go endWithInput()
	switch part {
	case "coredns":
		// In the order in which a query passes them.
		dnsserver.Directives = []string{"errors", "ready", "cache", "kubernetes"}
		coremain.Run()
	case "kube-proxy":
		os.Exit(cli.Run(proxy.NewProxyCommand()))
	case "kube-scheduler":
		os.Exit(cli.Run(scheduler.NewSchedulerCommand()))
	case "kubelet":
		os.Exit(cli.Run(kubelet.NewKubeletCommand(context.Background())))
	case "policies":
		enforcePolicies()
	default:
		usage()
	}
}

func endWithInput() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: kubernetes-node coredns|kube-proxy|kube-scheduler|kubelet|policies [flag ...]")
	os.Exit(2)
}
