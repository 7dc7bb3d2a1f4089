import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { goProgramFile } from '../go-program.ts'
import { kubeconfigText } from '../kubernetes-plane/plane-files.ts'
import { runtimePrograms } from './node-programs.ts'

const run = promisify(execFile)

/** The node's address, of which its network has no other, and what its cluster uses. */
export const nodeAddress = '10.201.0.1'
/** Of services. */
export const serviceRange = '10.96.0.0/16'
/** Of pods. */
export const podRange = '10.244.0.0/16'
/** The name that the image of `pause` has in a node. */
export const pauseImage = 'docker.io/library/pause:1'

const apiServer = `https://${nodeAddress}:6443`

/** The clients of the API server, by the name of a kubeconfig; each has a token of its own. */
export const nodeUsers: Readonly<Record<string, { readonly user: string; readonly group?: string }>> = {
  'controller-manager': { user: 'system:kube-controller-manager' },
  scheduler: { user: 'system:kube-scheduler' },
  kubelet: { user: 'system:node:node-1', group: 'system:nodes' },
  proxy: { user: 'system:kube-proxy' },
  dns: { user: 'system:coredns', group: 'system:masters' },
  policies: { user: 'policies', group: 'system:masters' },
}

/** Writes what the parts of a node read from its directory: kubeconfigs, settings and the client certificate by which kubelet knows the API server. */
export async function writeNodeFiles(
  directory: string,
  group: string,
  { ca, caKey, tokens }: { ca: string; caKey: string; tokens: ReadonlyMap<string, string> },
): Promise<void> {
  const at = (name: string) => path.join(directory, name)
  for (const name of Object.keys(nodeUsers)) {
    const text = kubeconfigText({ server: apiServer, ca, token: tokens.get(name) ?? '' })
    await writeFile(at(`${name}.kubeconfig`), text, { mode: 0o600 })
  }
  const key = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    at('client.key'),
  ]
  await run('openssl', [
    'req',
    ...key,
    '-subj',
    '/O=system:masters/CN=kube-apiserver',
    '-out',
    at('client.csr'),
  ])
  await writeFile(at('client.ext'), 'extendedKeyUsage=clientAuth\n')
  const signed = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-days', '2', '-extfile', at('client.ext')]
  await run('openssl', ['x509', '-req', '-in', at('client.csr'), ...signed, '-out', at('client.crt')])
  await mkdir(at('cni'), { recursive: true })
  await writeFile(at('cni/10-bridge.conflist'), JSON.stringify(bridge(at('cni-state'))))
  await writeFile(at('containerd.toml'), containerdSettings(directory))
  await writeFile(at('kubelet.json'), JSON.stringify(kubeletSettings(directory, group, ca)))
  await writeFile(at('proxy.json'), JSON.stringify(proxySettings(directory)))
  await writeFile(at('Corefile'), corefile(directory))
  // Names outside of the cluster do not resolve.
  await writeFile(at('resolv.conf'), '')
}

function bridge(state: string) {
  const ipam = {
    type: 'host-local',
    dataDir: state,
    ranges: [[{ subnet: '10.244.0.0/24' }]],
    routes: [{ dst: '0.0.0.0/0' }],
  }
  return {
    cniVersion: '1.0.0',
    name: 'bridge',
    plugins: [
      { type: 'bridge', bridge: 'cni0', isGateway: true, ipMasq: true, hairpinMode: true, ipam },
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

function kubeletSettings(directory: string, group: string, ca: string) {
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
    address: nodeAddress,
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: ca } },
    authorization: { mode: 'Webhook' },
    volumePluginDir: path.join(directory, 'volume-plugins'),
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    enforceNodeAllocatable: ['pods'],
  }
}

function proxySettings(directory: string) {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: path.join(directory, 'proxy.kubeconfig') },
    mode: 'iptables',
    clusterCIDR: podRange,
    hostnameOverride: 'node-1',
    // A network of its own may not set the kernel's limits.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  }
}

/** Caches the cluster's names as most clusters do, which keeps an absent name for 30 s. */
function corefile(directory: string): string {
  return `.:53 {
  errors
  ready
  cache 30
  kubernetes cluster.local in-addr.arpa {
    endpoint ${apiServer}
    kubeconfig ${path.join(directory, 'dns.kubeconfig')}
    pods insecure
    ttl 30
  }
}
`
}
