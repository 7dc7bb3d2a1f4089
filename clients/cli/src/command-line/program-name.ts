/** Returns the name by which users start this command line, for what they may copy; the launcher of a checkout says it. */
export function programName(environment: NodeJS.ProcessEnv): string {
  return environment['WADI_PROGRAM'] || 'wadi'
}
