import { existsSync } from 'node:fs'
import path from 'node:path'
import { type TestProgram, goProgramMissing } from '../go-program.ts'
import { planeMissing } from '../kubernetes-plane/plane-program.ts'
import { imageMissing } from './node-images.ts'

const tools = path.resolve(import.meta.dirname, '../../../../tools')
const runtime = { script: 'build:cluster', sources: path.join(tools, 'container-runtime') }

/** The program that is kubelet, kube-proxy, kube-scheduler, CoreDNS and what enforces NetworkPolicies. */
export const nodeProgram: TestProgram = {
  title: 'node',
  script: 'build:cluster',
  name: 'node',
  sources: path.join(tools, 'kubernetes-node'),
}

/** The container runtime's programs, and what holds the namespaces of pods. */
export const runtimePrograms: Readonly<Record<'containerd' | 'shim' | 'ctr' | 'pause', TestProgram>> = {
  containerd: { ...runtime, title: 'containerd', name: 'containerd' },
  shim: { ...runtime, title: 'containerd shim', name: 'containerd-shim-runc-v2' },
  ctr: { ...runtime, title: 'client of containerd', name: 'ctr' },
  pause: { ...runtime, title: 'pause', name: 'pause' },
}

/** The system's files that a node uses, by the Debian package that has them. */
export const systemFiles: Readonly<Record<string, string>> = {
  runc: '/usr/sbin/runc',
  'containernetworking-plugins': '/usr/lib/cni/bridge',
  iptables: '/usr/sbin/iptables',
  ipset: '/usr/sbin/ipset',
  conntrack: '/usr/sbin/conntrack',
  iproute2: '/usr/sbin/ip',
  'util-linux': '/usr/bin/nsenter',
}

/** Why no node can be started here; undefined when one can. */
export function nodeMissing(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'a node needs Linux and root'
  if (!existsSync('/sys/fs/cgroup/cpuset'))
    return 'a node needs control groups of version 1, as it is written for them'
  for (const [name, file] of Object.entries(systemFiles)) {
    if (!existsSync(file)) return `${name} is missing; run 'npm run build:cluster'`
  }
  const programs = [nodeProgram, ...Object.values(runtimePrograms)].map(goProgramMissing)
  return planeMissing() ?? programs.find((reason) => reason !== undefined) ?? imageMissing()
}
