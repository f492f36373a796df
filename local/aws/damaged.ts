/** The error for a file of the data folder whose content is not the content that was written. */
export function damaged(file: string, why: string): Error {
  return new Error(
    `${file} is damaged (${why}): restore the folder from a copy, or empty it with npm start -- --fresh`,
  )
}
