/** An error of the kustomization or the parameters, shown to the user as it is. */
export class UserError extends Error {}

/** Runs a program of the plugin. What it writes to standard error when it fails is what users get to see. */
export function runProgram(program: () => void): void {
  try {
    program()
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error)
    process.exitCode = 1
  }
}
