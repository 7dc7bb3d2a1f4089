/** The parameters in the address of a new Application. */
interface NewApplicationSearch {
  /** `namespace/name` of the Application that is copied. */
  copy?: string | undefined
}

/** Reads the address of a new Application. */
export function readNewApplicationSearch({ copy }: Record<string, unknown>): NewApplicationSearch {
  return { copy: typeof copy === 'string' && /^[^/]+\/[^/]+$/.test(copy) ? copy : undefined }
}
