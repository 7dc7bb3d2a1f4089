import { readFileSync } from 'node:fs'

/** The version of Kubernetes that a go.mod names, and the flags by which the linker tells it to the programs. */
export function kubernetesVersion(goMod: string): { readonly full: string; readonly linker: string } {
  const version = /k8s\.io\/kubernetes v(\d+\.(\d+)\.\d+)/.exec(readFileSync(goMod, 'utf8'))
  if (version === null) throw new Error('go.mod names no version of k8s.io/kubernetes')
  const [, full = '', minor = ''] = version
  const variable = 'k8s.io/component-base/version.git'
  return { full, linker: `-X ${variable}Version=v${full} -X ${variable}Major=1 -X ${variable}Minor=${minor}` }
}
