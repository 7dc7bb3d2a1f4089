import path from 'node:path'
import { type TestProgram, goProgramFile, goProgramMissing } from '../go-program.ts'

/** The program that is etcd, kube-apiserver and kube-controller-manager. */
export const plane: TestProgram = {
  title: 'control plane',
  script: 'build:plane',
  name: 'plane',
  sources: path.resolve(import.meta.dirname, '../../../../tools/kubernetes-plane'),
}

/** Returns the file where `npm run build:plane` puts the program. */
export function planeProgram(): string {
  return goProgramFile(plane)
}

/** Why no real API server can be started here; undefined when one can. */
export function planeMissing(): string | undefined {
  return goProgramMissing(plane)
}
