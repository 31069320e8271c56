export const REFRESHES = 'dispute_refreshes'
export const SCANS = 'dispute_scans'
export const SUBMISSIONS = 'dispute_submissions'
