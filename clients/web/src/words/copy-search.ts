/** The parameters in the address of a new object. */
interface CopySearch {
  /** `namespace/name` of the one that is copied. */
  copy?: string | undefined
}

/** Reads the address of a new object that may be a copy. */
export function readCopySearch({ copy }: Record<string, unknown>): CopySearch {
  return { copy: typeof copy === 'string' && /^[^/]+\/[^/]+$/.test(copy) ? copy : undefined }
}
