import { loadGivenProgram } from '@wadi/gotemplate/go-program.ts'

/** A kustomization and all that its build may read. */
export interface KustomizeRequest {
  /** The directory to build, relative to the repository's root like every path here. */
  readonly path: string
  /** Symlinks are what they lead to. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** Kustomize's own engine, as `kubectl kustomize` runs it without options: no plugins, no charts, no network. */
export interface KustomizeProgram {
  /**
   * Builds a kustomization to YAML. Memory is bounded to 512 MiB; time is not, so a caller builds in a thread that it can end.
   * @throws InvalidInputError with the engine's message, in which the repository is `/repository`
   * @throws ResourceExhaustedError when it needs more memory, GoProgramError when the program ended
   */
  build(request: KustomizeRequest): string
}

/**
 * Loads the Kustomize that a pool gave to this thread.
 * @throws what `loadGivenProgram` throws
 */
export async function loadGivenKustomize(): Promise<KustomizeProgram> {
  const program = await loadGivenProgram()
  return {
    build: ({ path, files }) => {
      const read = (file: string): string => Buffer.from(files.get(file) ?? []).toString('base64')
      return program.call(kustomizationName(path), { path, files: [...files.keys()] }, read)
    },
  }
}

/** Names a kustomization in messages. */
export function kustomizationName(path: string): string {
  return `kustomization "${path || '.'}"`
}
