/** Files that the build embeds; importing one gives its path. */
declare module "*.rbxm" {
  const path: string;
  export default path;
}
