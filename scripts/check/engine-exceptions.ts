/** What the plugin and its programs use of the engine although it is deprecated or yields, each with the reason. */

type Reasons = Readonly<Record<string, string>>;

export const DEPRECATED: Reasons = {
  "InsertService.GetFreeModels": "a Studio that lacks GetFreeModelsAsync has only this one",
  "LocalizationTable.GetContents": "nothing else gives all entries of a table as files hold them",
  "LocalizationTable.SetContents": "nothing else sets all entries of a table as files hold them",
};

const IN_REQUEST = "each request of a client has a thread of its own, which may wait";
const IN_SCRIPT = "the program is a script of a client, and waiting is what it is for";

export const YIELDING: Reasons = {
  "HttpService.RequestAsync": "the thread that looks for a host does nothing else",
  "ScriptEditorService.UpdateSourceAsync": IN_REQUEST,
  "SerializationService.DeserializeInstancesAsync": IN_REQUEST,
  "SerializationService.SerializeInstancesAsync": IN_REQUEST,
  "InsertService.GetFreeModelsAsync": IN_REQUEST,
  "InsertService.GetFreeModels": IN_REQUEST,
  "InsertService.LoadAsset": IN_REQUEST,
  "AssetService.LoadAssetAsync": IN_REQUEST,
  "AssetService.CreateEditableImageAsync": IN_REQUEST,
  "Plugin.CreateDockWidgetPluginGuiAsync": "the thread that makes the panel does nothing else",
  "StudioTestService.ExecutePlayModeAsync": IN_SCRIPT,
  "StudioTestService.ExecuteRunModeAsync": IN_SCRIPT,
  "StudioTestService.ExecuteMultiplayerTestAsync": IN_SCRIPT,
};
