/** Whether this process runs on a CI server, which sets the variable CI. */
export const isCi = (): boolean => !["", "0", "false"].includes(process.env["CI"] ?? "");
