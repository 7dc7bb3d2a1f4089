/** The file of operators' settings for the whole repository, at its root. */
export const settingsFile = 'wadi.yaml'
