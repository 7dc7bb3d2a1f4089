import path from 'node:path'
import type { TestProgram } from '../go-program.ts'

/** The YAML libraries of Kubernetes, Helm and Argo CD, as a program that reads texts. */
export const decodersProgram: TestProgram = {
  title: 'YAML decoders in Go',
  script: 'build:yaml-decoders',
  name: 'yaml-decoders',
  sources: path.resolve(import.meta.dirname, '../../../../tools/yaml-decoders'),
}
