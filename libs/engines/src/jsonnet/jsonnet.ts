import { loadGoProgram } from '@wadi/gotemplate/go-program.ts'

/** A value that a Jsonnet program is given from outside. */
interface JsonnetVariable {
  name: string
  value: string
  /** True if the value is Jsonnet code; otherwise it is a string. */
  code: boolean
}

/**
 * A Jsonnet program and everything that it may see.
 * @internal
 */
export interface JsonnetRequest {
  /** Path of the program, relative to the repository's root like every other path here. */
  file: string
  /** Returns the content of a file, or undefined where there is none. It gets cleaned paths inside the root only. */
  read: (path: string) => Uint8Array | undefined
  /** Directories in which imports are looked up after the importing file's own; the last one first. */
  libraries: string[]
  /** Read by `std.extVar`. */
  externalVariables: JsonnetVariable[]
  /** Passed to the program when it is a function. */
  topLevelArguments: JsonnetVariable[]
}

/** Google's Go implementation of Jsonnet. */
export interface Jsonnet {
  /**
   * Evaluates a program to JSON text. The stack is bounded to 500 frames; time and memory are not, so a caller that
   * evaluates foreign programs does it in a worker thread that it can end.
   * @throws InvalidInputError with Jsonnet's own message and locations, or when a path leaves the repository.
   * @throws whatever `read` throws.
   */
  evaluate(request: JsonnetRequest): string
}

let jsonnet: Promise<Jsonnet> | undefined

/** Returns the Jsonnet of this process or worker thread, which the first call loads. */
export function loadJsonnet(): Promise<Jsonnet> {
  jsonnet ??= start()
  return jsonnet
}

async function start(): Promise<Jsonnet> {
  const program = await loadGoProgram('jsonnet')
  return {
    evaluate: ({ read, ...request }) => {
      let failure: { cause: unknown } | undefined
      const readBase64 = (path: string): string | undefined => {
        try {
          const content = failure ? undefined : read(path)
          return content && Buffer.from(content).toString('base64')
        } catch (cause) {
          // An exception must not pass through Go's stack; it is thrown again behind it.
          failure = { cause }
          return undefined
        }
      }
      try {
        return program.call(request.file, request, readBase64)
      } catch (cause) {
        throw failure ? failure.cause : cause
      }
    },
  }
}
