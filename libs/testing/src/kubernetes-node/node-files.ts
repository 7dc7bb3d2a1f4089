import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { goProgramFile } from '../go-program.ts'
import type { PlaneFiles } from '../kubernetes-plane/plane-files.ts'
import { nodeAddress, type NodePlace, podRange } from './node-place.ts'
import { runtimePrograms } from './node-programs.ts'

/** The name that the image of `pause` has in a node. */
export const pauseImage = 'docker.io/library/pause:1'

/** Writes what the parts of a node read from its own directory: the settings of kubelet, kube-proxy, the container runtime and the network of pods. */
export async function writeNodeFiles(
  directory: string,
  group: string,
  place: NodePlace,
  cluster: PlaneFiles,
): Promise<void> {
  const at = (name: string) => path.join(directory, name)
  await mkdir(at('cni'), { recursive: true })
  await writeFile(at('cni/10-bridge.conflist'), JSON.stringify(bridge(at('cni-state'), place)))
  await writeFile(at('containerd.toml'), containerdSettings(directory))
  await writeFile(at('kubelet.json'), JSON.stringify(kubeletSettings(directory, group, place, cluster)))
  await writeFile(at('proxy.json'), JSON.stringify(proxySettings(place, cluster)))
  // Names outside of the cluster do not resolve.
  await writeFile(at('resolv.conf'), '')
}

function bridge(state: string, { pods }: NodePlace) {
  const ipam = {
    type: 'host-local',
    dataDir: state,
    ranges: [[{ subnet: pods }]],
    routes: [{ dst: '0.0.0.0/0' }],
  }
  return {
    cniVersion: '1.0.0',
    name: 'bridge',
    plugins: [
      // Other nodes, which know the way back, see the addresses of pods: policies are about them.
      { type: 'bridge', bridge: 'cni0', isGateway: true, ipMasq: false, hairpinMode: true, ipam },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  }
}

function containerdSettings(directory: string): string {
  const unused = ['btrfs', 'zfs', 'devmapper', 'blockfile', 'erofs']
  return `version = 3
root = "${directory}/containerd"
state = "/run/containerd"
disabled_plugins = [${unused.map((name) => `"io.containerd.snapshotter.v1.${name}"`).join(', ')}]
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins."io.containerd.cri.v1.images"]
  snapshotter = "overlayfs"
  [plugins."io.containerd.cri.v1.images".pinned_images]
    sandbox = "${pauseImage}"
[plugins."io.containerd.cri.v1.runtime"]
  # Without CAP_SYS_RESOURCE no process may lower its score.
  restrict_oom_score_adj = true
  [plugins."io.containerd.cri.v1.runtime".cni]
    bin_dirs = ["/usr/lib/cni"]
    conf_dir = "${directory}/cni"
  [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    runtime_path = "${goProgramFile(runtimePrograms.shim)}"
    [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
      BinaryName = "/usr/sbin/runc"
      SystemdCgroup = false
`
}

function kubeletSettings(directory: string, group: string, { address }: NodePlace, { ca }: PlaneFiles) {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    failCgroupV1: false,
    failSwapOn: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${group}`,
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    clusterDNS: [nodeAddress],
    clusterDomain: 'cluster.local',
    resolvConf: path.join(directory, 'resolv.conf'),
    address,
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: ca } },
    authorization: { mode: 'Webhook' },
    volumePluginDir: path.join(directory, 'volume-plugins'),
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    enforceNodeAllocatable: ['pods'],
  }
}

function proxySettings({ name }: NodePlace, { directory }: PlaneFiles) {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: path.join(directory, 'proxy.kubeconfig') },
    mode: 'iptables',
    clusterCIDR: podRange,
    hostnameOverride: name,
    // A network of its own may not set the kernel's limits.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  }
}
