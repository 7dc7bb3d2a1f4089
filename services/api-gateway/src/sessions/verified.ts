import type { Caller } from '../authentication/caller.ts'
import type { SessionToken } from './session-token.ts'

/** A caller whose identity a token proves. */
export interface Verified {
  caller: Caller
  /** Undefined for the operator's token and for those of other issuers. */
  token?: SessionToken
}
