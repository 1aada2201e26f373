/** Files that the build puts into scripts as text. */
declare module '*.txt' {
  const text: string;
  export default text;
}
