import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'

/** A schema of Kubernetes' own kinds. It has one of `$ref`, `items`, `additionalProperties`, `properties` or none. */
export interface BuiltInSchema {
  /** The name of a definition. */
  readonly $ref?: string
  /** `string`, `integer`, `number`, `boolean`, `array` or `object`; without it any value is accepted. */
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: BuiltInSchema
  readonly additionalProperties?: BuiltInSchema
  readonly properties?: Readonly<Record<string, BuiltInSchema>>
  /** Only the fields whose absence the API server rejects. */
  readonly required?: readonly string[]
}

/** The kinds of a minor version of Kubernetes. `tools/write-kubernetes-schemas.ts` writes the files. */
export interface KubernetesSchemas {
  /** The name of the definition of each kind, by `apiVersion kind`, for example `apps/v1 Deployment`. */
  readonly kinds: Readonly<Record<string, string>>
  readonly definitions: Readonly<Record<string, BuiltInSchema>>
}

/** The minor versions of Kubernetes 1 whose schemas are known. */
export const knownVersions = { oldest: 30, newest: 37 } as const

const loaded = new Map<number, Promise<KubernetesSchemas>>()

/** Returns the schemas of a minor version of Kubernetes 1; those of the nearest known version for others. */
export function kubernetesSchemas(minorVersion: number): Promise<KubernetesSchemas> {
  const known = Math.min(Math.max(minorVersion, knownVersions.oldest), knownVersions.newest)
  return loaded.getOrInsertComputed(known, readSchemas)
}

async function readSchemas(minorVersion: number): Promise<KubernetesSchemas> {
  const file = await readFile(new URL(`data/1.${minorVersion}.json.zst`, import.meta.url))
  return JSON.parse((await promisify(zstdDecompress)(file)).toString())
}
