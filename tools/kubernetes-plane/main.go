// Command kubernetes-plane runs one part of a Kubernetes control plane, for tests; its first argument names the part.
// The parts share most of their packages, so one program takes half the time to build and half the space of three.
// It ends when its standard input does, so that it never outlives the test that holds the other end.
package main

import (
	"fmt"
	"io"
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	part := os.Args[1]
	os.Args = os.Args[1:]
	go endWithInput()
	switch part {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "kube-controller-manager":
		os.Exit(cli.Run(controllermanager.NewControllerManagerCommand()))
	default:
		usage()
	}
}

func endWithInput() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: kubernetes-plane etcd|kube-apiserver|kube-controller-manager [flag ...]")
	os.Exit(2)
}
