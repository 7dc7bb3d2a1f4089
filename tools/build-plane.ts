import { readFileSync } from 'node:fs'
import path from 'node:path'
import { plane } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { buildGoProgram } from './go-program.ts'

// `npm run build:plane`: builds etcd, kube-apiserver and kube-controller-manager into one program, once for each machine and user.
// Takes 6 minutes on two idle cores, 2 GB of memory and, in Go's caches, 5 GB of disk.

const version = /k8s\.io\/kubernetes v(\d+\.(\d+)\.\d+)/.exec(
  readFileSync(path.join(plane.sources, 'go.mod'), 'utf8'),
)
if (version === null) throw new Error('go.mod names no version of k8s.io/kubernetes')
const [, full = '', minor = ''] = version
const variable = 'k8s.io/component-base/version.git'
await buildGoProgram({
  program: plane,
  begins: `building Kubernetes ${full} from its Go modules, about 6 minutes`,
  linker: `-X ${variable}Version=v${full} -X ${variable}Major=1 -X ${variable}Minor=${minor}`,
})
