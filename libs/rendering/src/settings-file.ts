/** What operators say of the whole repository, at its root. */
export const settingsFile = 'wadi.yaml'
