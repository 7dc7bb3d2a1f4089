/** The message of a comparison to users to whom the server does not show the values of Secrets. */
export const secretsNotCompared =
  'the values of Secrets are not compared, which needs the right secrets, get to the Application; their keys are'
