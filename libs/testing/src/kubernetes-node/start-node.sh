#!/bin/sh
# Process 1 of the namespaces of a node: gives them mounts, a network and control groups, and ends everything in them when its input ends.
# start-node.sh DIRECTORY GROUP NAME ADDRESS
set -eu
directory=$1 group=$2 name=$3 address=$4

mount --make-rshared /
hostname "$name"
# What programs keep at fixed places ends with the node.
for place in /run /var/log /var/lib; do mount -t tmpfs -o mode=755 tmpfs "$place"; done
mkdir -p /run/containerd /run/lock /var/log/pods /var/log/containers

ip link set lo up
# A bridge without ports has no carrier.
ip link add node0 type bridge
ip addr add "$address/24" dev node0
ip link add node0a type veth peer name node0b
ip link set node0a master node0
for link in node0 node0a node0b; do ip link set "$link" up; done
ip route add default via "$address" dev node0
echo 1 >/proc/sys/net/ipv4/ip_forward
echo 1 >/proc/sys/net/bridge/bridge-nf-call-iptables

for controller in cpu cpuacct cpuset memory devices freezer blkio pids systemd; do
  mkdir -p "/sys/fs/cgroup/$controller/$group"
done
for kind in cpus mems; do
  cat "/sys/fs/cgroup/cpuset/cpuset.$kind" >"/sys/fs/cgroup/cpuset/$group/cpuset.$kind"
done

# Without this all pods together had the share of one process.
echo $(($(nproc) * 1024)) >"/sys/fs/cgroup/cpu/$group/cpu.shares"

touch "$directory/begun"
cat >/dev/null
