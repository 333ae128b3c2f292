// Derivations from C++: every line of a file against the batch functions, a table, and the functions that Monero links.
//
//   derive FILE
//
// Lines: transaction key, view key, `true` and the derivation or `false`; 64 hex digits each. 0 if all agree, 1 if not, 2 for
// a file that can't be used.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "curve25519_lanes.h"
#include "curve25519_lanes_monero.h"

using Key = std::array<std::uint8_t, 32>;

// What is not 64 hex digits is the caller's fault, not the library's.
static Key key(const std::string &text)
{
    if (text.size() != 64 || text.find_first_not_of("0123456789abcdef") != std::string::npos) {
        std::cerr << "not 64 hex digits: " << text << "\n";
        std::exit(2);
    }
    Key out{};
    for (std::size_t i = 0; i < 32; i++)
        out[i] = static_cast<std::uint8_t>(std::stoul(text.substr(2 * i, 2), nullptr, 16));
    return out;
}

static char *chars(Key &k) { return reinterpret_cast<char *>(k.data()); }

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::cerr << "usage: derive FILE\n";
        return 2;
    }
    std::ifstream file(argv[1]);
    if (!file) {
        std::cerr << argv[1] << ": can't be opened\n";
        return 2;
    }
    std::string line;
    std::size_t count = 0;
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::string tx, view, good, expected;
        fields >> tx >> view >> good >> expected;
        Key r = key(tx), a = key(view), out{}, batch{};
        const bool is_good = good == "true";
        const Key want = is_good ? key(expected) : Key{};
        std::uint8_t flag = 7;
        const int result = monero_crypto_curve25519_lanes_generate_key_derivation(chars(out), chars(r), chars(a));
        if (result != (is_good ? 0 : -1) || out != want)
            return 1;
        if (curve25519_lanes_derive(batch.data(), 32, &flag, 1, a.data(), 32, r.data(), 32) != CURVE25519_LANES_OK)
            return 1;
        if (batch != want || flag != (is_good ? 1 : 0))
            return 1;
        curve25519_lanes_table *table = curve25519_lanes_table_new(r.data(), 32);
        if ((table != nullptr) != is_good)
            return 1;
        if (table != nullptr) {
            Key by_table{};
            if (curve25519_lanes_table_derive(table, by_table.data(), 32, a.data(), 32) != 0 || by_table != want)
                return 1;
            curve25519_lanes_table_free(table);
            // The output may be an input.
            if (monero_crypto_curve25519_lanes_generate_key_derivation(chars(r), chars(r), chars(a)) != 0 || r != want)
                return 1;
        }
        count++;
    }
    std::cout << count << " lines\n";
    return count > 0 ? 0 : 2;
}
