import type { KustomizeBuild } from './kustomize-build.ts'

/** A kustomization with its build. */
export interface GivenKustomization {
  /** The directory, from the repository's root. */
  readonly path: string
  readonly build: KustomizeBuild
  readonly inputs: readonly string[]
}
