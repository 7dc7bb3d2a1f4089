import path from 'node:path'
import type { GoProgram } from '../go-program.ts'

/** The YAML libraries of Kubernetes, Helm and Argo CD, as a program that reads texts. */
export const decodersProgram: GoProgram = {
  title: 'YAML decoders in Go',
  script: 'build:yaml-decoders',
  name: 'yaml-decoders',
  sources: path.resolve(import.meta.dirname, '../../../../tools/yaml-decoders'),
}
