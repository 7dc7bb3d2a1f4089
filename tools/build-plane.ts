import path from 'node:path'
import { plane } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { buildGoProgram } from './go-program.ts'
import { kubernetesVersion } from './kubernetes-version.ts'

// `npm run build:plane`: builds etcd, kube-apiserver and kube-controller-manager into one program, once for each machine and user.
// Takes 6 minutes on two idle cores, 2 GB of memory and, in Go's caches, 5 GB of disk.

const { full, linker } = kubernetesVersion(path.join(plane.sources, 'go.mod'))
await buildGoProgram({
  program: plane,
  begins: `building Kubernetes ${full} from its Go modules, about 6 minutes`,
  linker,
})
