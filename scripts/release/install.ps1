# Installs sb, the command of studio-bridge, for this user on Windows; the same again updates it.
#
#   irm ADDRESS/install.ps1 | iex
#   & ([scriptblock]::Create((irm ADDRESS/install.ps1))) -Version 1.2.3 -Dir D:\tools -NoModifyPath
#
# SB_INSTALL_BASE_URL is a folder with the files of one release: https, or http on this machine. Windows PowerShell 5.1 and
# later. Nothing changes until the new sb has been downloaded, compared with its checksum, and run.
param(
	[string] $Version = '',
	[string] $Dir = '',
	[switch] $NoModifyPath,
	[switch] $Uninstall
)

# The page of the project, as in src/version.ts.
$ProjectHome = ''

function Get-BaseUrl([string] $Version) {
	$base = ([string] $env:SB_INSTALL_BASE_URL).TrimEnd('/')
	if ($base -eq '') {
		if ($ProjectHome -eq '') { throw 'this build has no home to download from. Set SB_INSTALL_BASE_URL to a folder with a release.' }
		if ($Version -ne '') { return "$ProjectHome/releases/download/v$Version" }
		return "$ProjectHome/releases/latest/download"
	}
	if ($base -match '^https://.') { return $base }
	# The host must be a loopback address as it stands: with a user in front it could be any other host.
	if ($base -match '^http://(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?(/|$)') { return $base }
	throw "$base is not safe: SB_INSTALL_BASE_URL must be https, or http on this machine (http://127.0.0.1:PORT)."
}

# What the machine is: an emulated shell on arm64 says of itself that it is AMD64.
function Get-System {
	$key = 'HKLM:\SYSTEM\CurrentControlSet\Control\Session Manager\Environment'
	$processor = (Get-ItemProperty $key).PROCESSOR_ARCHITECTURE
	if ($processor -eq 'AMD64') { return 'windows-x86_64' }
	if ($processor -eq 'ARM64') { return 'windows-aarch64' }
	throw "there is no sb for $processor processors."
}

# The line of SHA256SUMS that fits this system names the archive, and with it the version.
function Find-Archive([string] $Sums, [string] $System, [string] $Version) {
	$pattern = '^([0-9a-f]{64}) [ *](studio-bridge-([0-9A-Za-z.+-]*)-' + $System + '\.zip)$'
	$found = @($Sums -split "`r?`n" | Where-Object { $_ -cmatch $pattern })
	if ($found.Count -ne 1) { throw "the release has $($found.Count) files for $System in SHA256SUMS, not one." }
	$null = $found[0] -cmatch $pattern
	if ($Version -ne '' -and $Version -ne $Matches[3]) { throw "the folder has version $($Matches[3]), not $Version." }
	return @{ Hash = $Matches[1]; Name = $Matches[2]; Version = $Matches[3] }
}

# The text is in every sb, and found without running what may be another program.
function Test-Ours([string] $Executable) {
	return [Text.Encoding]::GetEncoding(28591).GetString([IO.File]::ReadAllBytes($Executable)).Contains('studio-bridge')
}

# A program that runs cannot be replaced on Windows, but it can be renamed.
function Move-IntoPlace([string] $New, [string] $Executable) {
	$old = "$Executable.old"
	Remove-Item -Force -ErrorAction SilentlyContinue $old
	if (Test-Path $Executable) { Move-Item -Force $Executable $old }
	try {
		Move-Item -Force $New $Executable
	} catch {
		if (Test-Path $old) { Move-Item -Force $old $Executable }
		throw
	}
	Remove-Item -Force -ErrorAction SilentlyContinue $old
}

# Through the registry, so that variables in the user's PATH stay as they are.
function Set-OnPath([string] $Folder, [bool] $Present) {
	$key = [Microsoft.Win32.Registry]::CurrentUser.OpenSubKey('Environment', $true)
	try {
		$before = [string] $key.GetValue('Path', '', [Microsoft.Win32.RegistryValueOptions]::DoNotExpandEnvironmentNames)
		$parts = @($before -split ';' | Where-Object { $_ -ne '' -and $_.TrimEnd('\') -ne $Folder })
		if ($Present) { $parts = @($Folder) + $parts }
		$after = $parts -join ';'
		if ($after -eq $before) { return }
		$key.SetValue('Path', $after, [Microsoft.Win32.RegistryValueKind]::ExpandString)
	} finally {
		$key.Close()
	}
	# A change through this call, unlike one of the registry, is told to running programs.
	[Environment]::SetEnvironmentVariable('SB_INSTALL_NOTICE', '1', 'User')
	[Environment]::SetEnvironmentVariable('SB_INSTALL_NOTICE', $null, 'User')
	if ($Present) { $env:Path = "$Folder;$env:Path" }
}

# What a killed installer left; the folder of one that runs now is younger.
function Remove-Leftovers([string] $Folder, [datetime] $Before) {
	Get-ChildItem -Force -Directory -ErrorAction SilentlyContinue -Path $Folder -Filter '.sb-install.*' |
		Where-Object { $_.LastWriteTime -lt $Before } |
		Remove-Item -Recurse -Force -ErrorAction SilentlyContinue
}

# Another sb whose folder comes first on PATH is the one that runs.
function Show-Another([string] $Executable) {
	$first = Get-Command sb -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
	if ($first -and $first.Source -ne $Executable) {
		Write-Warning "$($first.Source) comes first on your PATH, so that `"sb`" runs that one. Remove it, or put $(Split-Path $Executable) before it."
	}
}

function Uninstall-StudioBridge([string] $Folder) {
	$executable = Join-Path $Folder 'sb.exe'
	if (-not (Test-Path $executable) -or -not (Test-Ours $executable)) { throw "there is no sb of studio-bridge in $Folder." }
	foreach ($path in $executable, "$executable.old", (Join-Path $Folder 'studio-bridge.cmd')) {
		if (Test-Path $path) { Remove-Item -Force $path }
	}
	Remove-Leftovers $Folder (Get-Date)
	Set-OnPath $Folder $false
	Write-Output "removed sb from $Folder"
	Write-Output "The plugin in Studio's plugins folder stays, and this machine's key in $env:LOCALAPPDATA\studio-bridge"
}

function Install-StudioBridge([string] $Version, [string] $Folder, [bool] $ModifiesPath) {
	$base = Get-BaseUrl $Version
	$system = Get-System
	$executable = Join-Path $Folder 'sb.exe'
	if ((Test-Path $executable) -and -not (Test-Ours $executable)) { throw "$executable is another program. Choose another folder with -Dir." }
	# Beside the old sb, so that the new one is moved within one disk.
	$work = Join-Path $Folder ('.sb-install.' + [Guid]::NewGuid().ToString('N'))
	New-Item -ItemType Directory -Force $work | Out-Null
	Remove-Leftovers $Folder (Get-Date).AddDays(-1)
	try {
		$sums = Join-Path $work 'SHA256SUMS'
		Invoke-WebRequest -UseBasicParsing -TimeoutSec 60 -Uri "$base/SHA256SUMS" -OutFile $sums
		$archive = Find-Archive (Get-Content -Raw $sums) $system $Version
		Write-Output "downloading studio-bridge $($archive.Version) for $system, about 50 MB"
		$file = Join-Path $work $archive.Name
		Invoke-WebRequest -UseBasicParsing -TimeoutSec 1800 -Uri "$base/$($archive.Name)" -OutFile $file
		$hash = (Get-FileHash -Algorithm SHA256 $file).Hash.ToLowerInvariant()
		if ($hash -ne $archive.Hash) { throw "$($archive.Name) is damaged: its SHA-256 is $hash, not $($archive.Hash). Try again." }
		$unpacked = Join-Path $work 'unpacked'
		Expand-Archive -Path $file -DestinationPath $unpacked
		$new = Join-Path $unpacked 'sb.exe'
		$said = & $new --version
		if ($said -ne $archive.Version) { throw "the new sb says that it is $said, not $($archive.Version)." }
		Move-IntoPlace $new $executable
		Set-Content -Encoding Ascii (Join-Path $Folder 'studio-bridge.cmd') '@"%~dp0sb.exe" %*'
		Write-Output "installed $executable ($($archive.Version))"
	} finally {
		Remove-Item -Recurse -Force -ErrorAction SilentlyContinue $work
	}
	if ($env:GITHUB_PATH) {
		Add-Content -Path $env:GITHUB_PATH -Value $Folder
	} elseif ($ModifiesPath) {
		Set-OnPath $Folder $true
		Write-Output "$Folder is on your PATH. Other terminals see it when they are opened again."
	}
	Show-Another $executable
}

# A function, so that a download that was cut off does nothing.
function Start-Installer {
	$ErrorActionPreference = 'Stop'
	# In 5.1 the progress bar makes a download ten times slower, and TLS 1.2 is not always on.
	$ProgressPreference = 'SilentlyContinue'
	[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
	$folder = if ($Dir -ne '') { $Dir } else { Join-Path $env:LOCALAPPDATA 'Programs\studio-bridge' }
	$folder = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($folder).TrimEnd('\')
	if ($Uninstall) { Uninstall-StudioBridge $folder } else { Install-StudioBridge $Version.TrimStart('v') $folder (-not $NoModifyPath) }
}

Start-Installer
