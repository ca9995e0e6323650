// The operating system of the program where it is WebAssembly: the calls of its C library, as calls
// of node. The linker puts this file in place of emscripten's own file system, which loses what
// the program needs: several errors, inode numbers, times to the nanosecond, names that are not
// UTF-8, and standard streams that do not block.
mergeInto(LibraryManager.library, {
  $HOST__deps: ['$ERRNO_CODES'],
  $HOST__postset: 'HOST.start();',
  $HOST: {
    start: function() {
      HOST.fs = require('fs');
      HOST.windows = process.platform === 'win32';
      HOST.here = -100;  // AT_FDCWD
      HOST.folders = new Map();  // an open directory -> its path and what readdir has not had yet
      HOST.clock = new Int32Array(new SharedArrayBuffer(4));
    },

    // Runs the call and returns its result, or the negative number of its error.
    call: function(work) {
      try {
        return work() || 0;
      } catch (error) {
        if (!error || typeof error.code != 'string') throw error;
        return -(ERRNO_CODES[error.code] || ERRNO_CODES[error.code === 'UNKNOWN' ? 'EIO' : 'EINVAL']);
      }
    },
    // WASI's functions return the number itself.
    ask: function(work) { return -HOST.call(work); },

    // A stream that another process has made non-blocking is asked again, less often while nothing comes.
    patiently: function(work) {
      for (var milliseconds = 1;; milliseconds = Math.min(2 * milliseconds, 50)) {
        try {
          return work();
        } catch (error) {
          if (error.code === 'EOF') return 0;
          if (error.code !== 'EAGAIN') throw error;
          Atomics.wait(HOST.clock, 0, 0, milliseconds);
        }
      }
    },

    bytes: function(text) { return Buffer.from(HEAPU8.subarray(text, HEAPU8.indexOf(0, text))); },
    // The C library knows only paths that begin with `/`, so `C:/specs` is `/C:/specs` there.
    path: function(text) {
      var path = HOST.bytes(text);
      return HOST.windows && /^\/[A-Za-z]:/.test(path.toString('latin1', 0, 3)) ? path.subarray(1) : path;
    },
    shown: function(path) {
      if (!HOST.windows) return path;
      var text = path.toString().replace(/^\\\\\?\\/, '').replace(/\\/g, '/');
      return Buffer.from(/^[A-Za-z]:/.test(text) ? '/' + text : text);
    },
    at: function(folder, text) {
      var path = HOST.path(text);
      if (folder === HOST.here || HEAPU8[text] === 47) return path;
      return Buffer.concat([HOST.folders.get(folder).path, Buffer.from('/'), path]);
    },

    open: function(folder, text, flags, mode) {
      var c = HOST.fs.constants, path = HOST.at(folder, text);
      var names = [['O_CREAT', 0o100], ['O_EXCL', 0o200], ['O_TRUNC', 0o1000], ['O_APPEND', 0o2000],
                   ['O_NONBLOCK', 0o4000], ['O_DIRECTORY', 0o200000], ['O_NOFOLLOW', 0o400000]];
      var host = flags & 3;
      // The optimizer of emscripten 3.1.6 loses variables that are taken out of an array.
      names.forEach(function(pair) { host |= flags & pair[1] ? c[pair[0]] || 0 : 0; });
      var fd = HOST.fs.openSync(path, host, mode);
      if (flags & 0o200000) {
        HOST.folders.set(fd, {path: path, rest: null});
        // Windows has no O_DIRECTORY.
        if (!c.O_DIRECTORY && !HOST.fs.fstatSync(fd).isDirectory()) {
          HOST.close(fd);
          throw Object.assign(new Error(), {code: 'ENOTDIR'});
        }
      }
      return fd;
    },
    close: function(fd) {
      HOST.folders.delete(fd);
      HOST.fs.closeSync(fd);
    },

    transfer: function(move, fd, iov, count, position, total) {
      var all = 0;
      for (var i = 0; i < count; ++i) {
        var begin = HEAP32[(iov >> 2) + 2 * i], size = HEAP32[(iov >> 2) + 2 * i + 1];
        var done = size === 0 ? 0
            : HOST.patiently(function() { return move(fd, HEAPU8, begin, size, position === null ? null : position + all); });
        all += done;
        if (done < size) break;
      }
      HEAP32[total >> 2] = all;
    },

    stat: function(status, to) {
      var low = function(value) { return Number(BigInt.asIntN(32, value)); };
      var set = function(offset, value) { HEAP32[(to + offset) >> 2] = low(value); };
      var set64 = function(offset, value) {
        set(offset, value);
        set(offset + 4, value >> BigInt(32));
      };
      var time = function(offset, ns) {
        set(offset, ns / BigInt(1e9));
        set(offset + 4, ns % BigInt(1e9));
      };
      HEAPU8.fill(0, to, to + {{{ C_STRUCTS.stat.__size__ }}});
      set({{{ C_STRUCTS.stat.st_dev }}}, status.dev);
      set({{{ C_STRUCTS.stat.st_mode }}}, status.mode);
      set({{{ C_STRUCTS.stat.st_nlink }}}, status.nlink);
      set({{{ C_STRUCTS.stat.st_uid }}}, status.uid);
      set({{{ C_STRUCTS.stat.st_gid }}}, status.gid);
      set64({{{ C_STRUCTS.stat.st_size }}}, status.size);
      time({{{ C_STRUCTS.stat.st_mtim.tv_sec }}}, status.mtimeNs);
      time({{{ C_STRUCTS.stat.st_ctim.tv_sec }}}, status.ctimeNs);
      set64({{{ C_STRUCTS.stat.st_ino }}}, status.ino);
    },

    // As many entries as fit; 0 at the end.
    entries: function(fd, to, room) {
      var size = {{{ C_STRUCTS.dirent.__size__ }}}, folder = HOST.folders.get(fd), used = 0;
      folder.rest = folder.rest ||
          HOST.fs.readdirSync(folder.path, {withFileTypes: true, encoding: 'buffer'}).reverse();
      for (; folder.rest.length > 0 && used + size <= room; used += size) {
        var entry = folder.rest.pop(), at = to + used;
        HEAPU8.fill(0, at, at + size);
        HEAPU8[at + {{{ C_STRUCTS.dirent.d_ino }}}] = 1;
        HEAP16[(at + {{{ C_STRUCTS.dirent.d_reclen }}}) >> 1] = size;
        HEAPU8[at + {{{ C_STRUCTS.dirent.d_type }}}] =
            entry.isFile() ? 8 : entry.isDirectory() ? 4 : entry.isSymbolicLink() ? 10
            : entry.isFIFO() ? 1 : entry.isCharacterDevice() ? 2 : entry.isBlockDevice() ? 6
            : entry.isSocket() ? 12 : 0;
        HEAPU8.set(entry.name.subarray(0, 255), at + {{{ C_STRUCTS.dirent.d_name }}});
      }
      return used;
    },

    environment: function() {
      return Object.entries(process.env).map(function([name, value]) {
        // `Path` is PATH there.
        return Buffer.from((HOST.windows ? name.toUpperCase() : name) + '=' + value + '\0');
      });
    },

    // The strings between `text` and an empty one.
    strings: function(text) {
      for (var all = []; HEAPU8[text] !== 0; text += all[all.length - 1].length + 1) all.push(HOST.bytes(text));
      return all.map(String);
    },
  },

  __syscall_openat__deps: ['$HOST'],
  __syscall_openat: function(folder, path, flags, varargs) {
    return HOST.call(function() { return HOST.open(folder, path, flags, varargs ? HEAP32[varargs >> 2] : 0); });
  },
  __syscall_open__deps: ['$HOST'],
  __syscall_open: function(path, flags, varargs) {
    return HOST.call(function() { return HOST.open(HOST.here, path, flags, varargs ? HEAP32[varargs >> 2] : 0); });
  },
  fd_close__deps: ['$HOST'],
  fd_close: function(fd) { return HOST.ask(function() { HOST.close(fd); }); },
  fd_read__deps: ['$HOST'],
  fd_read: function(fd, iov, count, total) {
    return HOST.ask(function() { HOST.transfer(HOST.fs.readSync, fd, iov, count, null, total); });
  },
  fd_pread__deps: ['$HOST'],
  fd_pread: function(fd, iov, count, low, high, total) {
    return HOST.ask(function() { HOST.transfer(HOST.fs.readSync, fd, iov, count, high * 0x100000000 + (low >>> 0), total); });
  },
  fd_write__deps: ['$HOST'],
  fd_write__postset: '',
  fd_write: function(fd, iov, count, total) {
    return HOST.ask(function() { HOST.transfer(HOST.fs.writeSync, fd, iov, count, null, total); });
  },
  fd_seek__deps: ['$ERRNO_CODES'],
  fd_seek: function() { return ERRNO_CODES.ESPIPE; },
  fd_sync: function() { return 0; },
  // The C library asks it whether a stream is a terminal: type 2 is a character device.
  fd_fdstat_get__deps: ['$HOST'],
  fd_fdstat_get: function(fd, to) {
    HEAPU8[to] = require('tty').isatty(fd) ? 2 : 4;
    return 0;
  },

  __syscall_fstat64__deps: ['$HOST'],
  __syscall_fstat64: function(fd, to) {
    return HOST.call(function() { HOST.stat(HOST.fs.fstatSync(fd, {bigint: true}), to); });
  },
  __syscall_stat64__deps: ['$HOST'],
  __syscall_stat64: function(path, to) {
    return HOST.call(function() { HOST.stat(HOST.fs.statSync(HOST.path(path), {bigint: true}), to); });
  },
  __syscall_lstat64__deps: ['$HOST'],
  __syscall_lstat64: function(path, to) {
    return HOST.call(function() { HOST.stat(HOST.fs.lstatSync(HOST.path(path), {bigint: true}), to); });
  },
  __syscall_fstatat64__deps: ['$HOST'],
  __syscall_fstatat64: function(folder, path, to, flags) {
    return HOST.call(function() {
      var stat = flags & 0x100 ? HOST.fs.lstatSync : HOST.fs.statSync;
      HOST.stat(stat(HOST.at(folder, path), {bigint: true}), to);
    });
  },
  __syscall_faccessat__deps: ['$HOST'],
  __syscall_faccessat: function(folder, path, mode) {
    return HOST.call(function() { HOST.fs.accessSync(HOST.at(folder, path), mode); });
  },
  __syscall_access__deps: ['$HOST'],
  __syscall_access: function(path, mode) {
    return HOST.call(function() { HOST.fs.accessSync(HOST.path(path), mode); });
  },
  __syscall_getdents64__deps: ['$HOST'],
  __syscall_getdents64: function(fd, to, room) {
    return HOST.call(function() { return HOST.entries(fd, to, room); });
  },
  __syscall_fcntl64: function() { return 0; },
  __syscall_ioctl__deps: ['$ERRNO_CODES'],
  __syscall_ioctl: function() { return -ERRNO_CODES.ENOTTY; },
  // Nothing is ever waiting: who asks goes on to read, which waits.
  __syscall_poll: function() { return 0; },

  __syscall_mkdirat__deps: ['$HOST'],
  __syscall_mkdirat: function(folder, path, mode) {
    return HOST.call(function() { HOST.fs.mkdirSync(HOST.at(folder, path), mode); });
  },
  __syscall_mkdir__deps: ['$HOST'],
  __syscall_mkdir: function(path, mode) {
    return HOST.call(function() { HOST.fs.mkdirSync(HOST.path(path), mode); });
  },
  __syscall_unlinkat__deps: ['$HOST'],
  __syscall_unlinkat: function(folder, path, flags) {
    return HOST.call(function() {
      if (flags & 0x200) HOST.fs.rmdirSync(HOST.at(folder, path));
      else HOST.fs.unlinkSync(HOST.at(folder, path));
    });
  },
  __syscall_renameat__deps: ['$HOST'],
  __syscall_renameat: function(folder, path, to, name) {
    return HOST.call(function() { HOST.fs.renameSync(HOST.at(folder, path), HOST.at(to, name)); });
  },
  __syscall_readlinkat__deps: ['$HOST'],
  __syscall_readlinkat: function(folder, path, to, room) {
    return HOST.call(function() {
      var target = HOST.shown(HOST.fs.readlinkSync(HOST.at(folder, path), {encoding: 'buffer'})).subarray(0, room);
      HEAPU8.set(target, to);
      return target.length;
    });
  },
  __syscall_readlink__deps: ['__syscall_readlinkat'],
  __syscall_readlink: function(path, to, room) { return ___syscall_readlinkat(HOST.here, path, to, room); },
  __syscall_fchmod__deps: ['$HOST'],
  __syscall_fchmod: function(fd, mode) { return HOST.call(function() { HOST.fs.fchmodSync(fd, mode); }); },
  __syscall_fchown32__deps: ['$HOST'],
  __syscall_fchown32: function(fd, user, group) {
    return HOST.call(function() { HOST.fs.fchownSync(fd, user, group); });
  },
  // The program sets times only to the present.
  __syscall_utimensat__deps: ['$HOST'],
  __syscall_utimensat: function(folder, path, times, flags) {
    return HOST.call(function() {
      var now = Date.now() / 1000, set = flags & 0x100 ? HOST.fs.lutimesSync : HOST.fs.utimesSync;
      set(HOST.at(folder, path), now, now);
    });
  },
  __syscall_getcwd__deps: ['$HOST'],
  __syscall_getcwd: function(to, room) {
    return HOST.call(function() {
      var path = HOST.shown(Buffer.from(process.cwd() + '\0'));
      if (path.length > room) return -ERRNO_CODES.ERANGE;
      HEAPU8.set(path, to);
      return path.length;
    });
  },

  environ_sizes_get__deps: ['$HOST'],
  environ_sizes_get: function(count, size) {
    var all = HOST.environment();
    HEAP32[count >> 2] = all.length;
    HEAP32[size >> 2] = Buffer.concat(all).length;
    return 0;
  },
  environ_get__deps: ['$HOST'],
  environ_get: function(to, texts) {
    HOST.environment().forEach(function(variable, i) {
      HEAP32[(to >> 2) + i] = texts;
      HEAPU8.set(variable, texts);
      texts += variable.length;
    });
    return 0;
  },

  flexslice_process_id: function() { return process.pid; },

  // Starts a program, waits for its end, and returns what it has printed, for the caller to free;
  // 0 where it fails or takes too long. See cli/files/git.cpp.
  flexslice_answer__deps: ['$HOST', 'malloc'],
  flexslice_answer: function(words, variables, milliseconds, most, size) {
    var list = HOST.strings(words), environment = {};
    for (var variable of HOST.strings(variables)) {
      var end = variable.indexOf('=');
      environment[variable.slice(0, end)] = variable.slice(end + 1);
    }
    var done = require('child_process').spawnSync(list[0], list.slice(1), {
      env: environment, stdio: ['ignore', 'pipe', 'ignore'], timeout: milliseconds, maxBuffer: most + 1, windowsHide: true});
    HEAP32[size >> 2] = done.stdout ? done.stdout.length : 0;
    if (!done.stdout || (done.status !== 0 && done.stdout.length <= most)) return 0;
    var to = _malloc(done.stdout.length + 1);
    HEAPU8.set(done.stdout, to);
    return to;
  },
});
