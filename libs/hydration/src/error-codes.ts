/** The code of the error when a branch cannot be restored, as the commit that Wadi left there is gone from the repository. */
export const commitGoneCode = 'commit-gone'
