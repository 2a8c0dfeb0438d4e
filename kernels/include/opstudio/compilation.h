// How compilers shall treat the header's code, so that a kernel compiles within the time that a save may take.
#ifndef OPSTUDIO_COMPILATION_H
#define OPSTUDIO_COMPILATION_H

// Code of its own, kept out of line: it compiles once per kernel instead of once per use.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define OPSTUDIO_NOINLINE __attribute__((noinline))
#else
#define OPSTUDIO_NOINLINE
#endif

// The same for code off the fast path, on which g++ shall not spend its time either.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define OPSTUDIO_COLD __attribute__((noinline, cold, optimize("O1")))
#define OPSTUDIO_BRIEF __attribute__((noinline, optimize("O1")))
#else
#define OPSTUDIO_COLD OPSTUDIO_NOINLINE
#define OPSTUDIO_BRIEF OPSTUDIO_NOINLINE
#endif

// A function of the header that is the same for all kernels, and one that needs to be quick. As a rule each kernel holds
// its own, and the header is all that there is. The studio compiles them once for all kernels instead, which halves the
// time of a small one: into an object file (OPSTUDIO_CODE_HERE) that kernels are linked to (OPSTUDIO_CODE_ELSEWHERE).
// gnu_inline is g++'s word for a function whose code is elsewhere.
#if defined(OPSTUDIO_CODE_HERE)
#define OPSTUDIO_SHARED __attribute__((noinline, used, optimize("O1"))) inline
#define OPSTUDIO_SHARED_LOOP __attribute__((noinline, used)) inline
#define OPSTUDIO_SHARED_TEMPLATE template
#elif defined(OPSTUDIO_CODE_ELSEWHERE)
#define OPSTUDIO_SHARED __attribute__((gnu_inline, cold, optimize("Os"))) inline
#define OPSTUDIO_SHARED_LOOP OPSTUDIO_SHARED
#define OPSTUDIO_SHARED_TEMPLATE extern template
#else
#define OPSTUDIO_SHARED OPSTUDIO_BRIEF inline
#define OPSTUDIO_SHARED_LOOP inline
#endif

#endif
