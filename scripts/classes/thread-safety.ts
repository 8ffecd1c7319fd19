// Which members scripts may use while they run in parallel. Neither source of the class data knows, so the names stand here, as
// Roblox's API reference has them (docs: scripting/multithreading, engine 0.735).

const names = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Methods that may be called in parallel; all others may not. */
const SAFE_METHODS: Readonly<Record<string, ReadonlySet<string>>> = {
  Actor: names("BindToMessage BindToMessageParallel SendMessage"),
  BasePart: names(
    "CanCollideWith GetConnectedParts GetJoints GetMass GetNetworkOwner GetNetworkOwnershipAuto GetRootPart GetVelocityAtPosition IsGrounded",
  ),
  BindableEvent: names("Fire"),
  Camera: names("ScreenPointToRay ViewportPointToRay WorldToScreenPoint WorldToViewportPoint"),
  CollectionService: names("GetAllTags GetTagged GetTags HasTag"),
  EditableImage: names("ReadPixelsBuffer"),
  EditableMesh: names(
    "BatchGetFaceAttributes BatchGetValues BatchGetVertexAttributes BatchGetVertexFaceAttributes FindClosestPointOnSurface FindClosestVertex FindVerticesWithinSphere GetAdjacentFaces GetAdjacentVertices GetBoneByName GetBoneCFrame GetBoneIsVirtual GetBoneName GetBoneParent GetBones GetCenter GetColor GetColorAlpha GetColors GetFaceColors GetFaceNormals GetFaceUVs GetFaceVertices GetFaces GetFacesWithAttribute GetFacesWithColor GetFacesWithNormal GetFacesWithUV GetFacsCorrectivePose GetFacsCorrectivePoses GetFacsPose GetFacsPoses GetNormal GetNormals GetPosition GetSize GetUV GetUVs GetVertexBoneWeights GetVertexBones GetVertexColors GetVertexFaceColor GetVertexFaceNormal GetVertexFaceUV GetVertexFaces GetVertexNormals GetVertexUVs GetVertices GetVerticesWithAttribute GetVerticesWithColor GetVerticesWithNormal GetVerticesWithUV RaycastLocal",
  ),
  EncodingService: names(
    "Base64Decode Base64Encode CompressBuffer ComputeBufferHash ComputeStringHash DecompressBuffer GetDecompressedBufferSize",
  ),
  HttpService: names("GenerateGUID GetSecret JSONDecode JSONEncode UrlEncode"),
  Humanoid: names("GetState GetStateEnabled"),
  HumanoidRigDescription: names("GetJointFromName GetJointNames GetR15JointNames GetR6JointNames"),
  InputAction: names("GetState"),
  Instance: names(
    "FindFirstAncestor FindFirstAncestorOfClass FindFirstAncestorWhichIsA FindFirstChild FindFirstChildOfClass FindFirstChildWhichIsA FindFirstDescendant GetActor GetAttribute GetAttributes GetChildren GetDescendants GetFullName GetTags HasTag IsAncestorOf IsDescendantOf",
  ),
  Lighting: names("GetMinutesAfterMidnight GetMoonDirection GetSunDirection"),
  Object: names("IsA"),
  PVInstance: names("GetPivot"),
  Player: names("GetCameraState GetNetworkPing"),
  Players: names("GetPlayerByUserId GetPlayers"),
  RunService: names("IsClient IsEdit IsRunMode IsServer IsStudio"),
  ServiceProvider: names("FindService"),
  SharedTableRegistry: names("GetSharedTable SetSharedTable"),
  Team: names("GetPlayers"),
  Terrain: names("GetMaterialColor ReadVoxelChannels ReadVoxels"),
  TweenService: names("SmoothDamp"),
  Workspace: names("GetNumAwakeParts GetPhysicsThrottling GetRealPhysicsFPS GetServerTimeNow"),
  WorldRoot: names("Blockcast GetPartBoundsInBox GetPartBoundsInRadius GetPartsInPart Raycast Spherecast"),
};

/** Properties that may not even be read; all others may be, and none may be written. */
const UNSAFE_PROPERTIES: Readonly<Record<string, ReadonlySet<string>>> = {
  Bone: names("TransformedWorldCFrame"),
  ChatInputBarConfiguration: names("AbsolutePosition AbsoluteSize IsFocused"),
  ChatWindowConfiguration: names("AbsolutePosition AbsoluteSize HorizontalAlignment VerticalAlignment"),
  GuiBase2d: names("AbsolutePosition AbsoluteRotation AbsoluteSize"),
  ScrollingFrame: names("AbsoluteCanvasSize AbsoluteWindowSize"),
  UIGridLayout: names("AbsoluteCellCount AbsoluteCellSize"),
  UIGridStyleLayout: names("AbsoluteContentSize"),
};

/** `classNames` are those of a class and its superclasses, one of which declares the member. */
const isListed = (
  list: Readonly<Record<string, ReadonlySet<string>>>,
  classNames: readonly string[],
  member: string,
): boolean => classNames.some((name) => list[name]?.has(member) === true);

export const isSafeMethod = (classNames: readonly string[], method: string): boolean =>
  isListed(SAFE_METHODS, classNames, method);

export const isUnsafeProperty = (classNames: readonly string[], property: string): boolean =>
  isListed(UNSAFE_PROPERTIES, classNames, property);
