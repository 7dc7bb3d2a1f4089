import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { nodeProgram, runtimePrograms, systemFiles } from '@wadi/testing/kubernetes-node/node-programs.ts'
import { buildImages } from './build-images.ts'
import { buildGoProgram } from './go-program.ts'
import { kubernetesVersion } from './kubernetes-version.ts'

// `npm run build:cluster`: what a cluster of one node on this machine needs besides the control plane of `npm run build:plane`: kubelet, kube-proxy,
// kube-scheduler, CoreDNS, kube-router's enforcement of NetworkPolicies and containerd from Go modules, once for each machine and user; runc and CNI
// plugins from Debian; the image of this checkout, after each change of it. Takes 6 minutes on two idle cores after `build:plane`, and 2 minutes for each
// image.

const containerd = 'github.com/containerd/containerd/v2/cmd/'
const version = kubernetesVersion(path.join(nodeProgram.sources, 'go.mod'))
await buildGoProgram({
  program: nodeProgram,
  begins: `building the parts of a node of Kubernetes ${version.full} from its Go modules, about 4 minutes`,
  linker: version.linker,
})
for (const [part, program] of Object.entries(runtimePrograms)) {
  const isPause = part === 'pause'
  await buildGoProgram({
    program,
    begins: `building ${program.title}`,
    package: isPause ? '.' : `${containerd}${program.name}`,
    tags: isPause ? '' : 'no_btrfs,no_zfs,no_aufs,no_devmapper,no_systemd',
  })
}
installPackages(
  ['buildah', 'mmdebstrap', 'redis-server'],
  ['/usr/bin/buildah', '/usr/bin/mmdebstrap', '/usr/bin/redis-server'],
)
installPackages(Object.keys(systemFiles), Object.values(systemFiles))
await buildImages()

/** Installs Debian's packages if one of the files is missing. */
function installPackages(packages: readonly string[], files: readonly string[]): void {
  if (files.every((file) => existsSync(file))) return
  const wanted = [...packages]
  console.log(`installing ${wanted.join(', ')}`)
  execFileSync(
    'apt-get',
    ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '-qq', '--no-install-recommends', ...wanted],
    {
      env: { ...process.env, RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
}
