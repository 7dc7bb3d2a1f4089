import { withoutUserInfo } from '@wadi/errors/redaction.ts'

/** Exit code of argocd for every error of a call or of a check of the input. */
export const failureExitCode = 20

/** A failure with an exit code of its own; an empty message prints nothing. Users and passwords in URLs are left out of it. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: number

  constructor(message: string, exitCode: number = failureExitCode, options?: ErrorOptions) {
    super(withoutUserInfo(message), options)
    this.exitCode = exitCode
  }
}
