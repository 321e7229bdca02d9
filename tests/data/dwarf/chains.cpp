// Templates, lambdas, classes within functions, and members of all of them, inlined into each other.
#include <algorithm>
#include <string>
#include <vector>

namespace outer
{
template <int I> struct tag {
	std::string text = std::to_string(I);
	bool operator<(const tag &o) const { return text < o.text; }
	struct within {
		static int sum(const std::vector<tag> &all)
		{
			int n = 0;
			for (const auto &t : all)
				n += int(t.text.size());
			return n;
		}
	};
};
namespace
{
template <int I> int use(const std::vector<std::string> &words)
{
	struct local {
		int n;
		__attribute__((noinline)) int add(int x) { return n + x; }
	};
	std::vector<tag<I>> all(words.size());
	for (std::size_t i = 0; i < words.size(); i++)
		all[i].text += words[i];
	std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return b < a; });
	return local{I}.add(tag<I>::within::sum(all));
}
} // namespace
} // namespace outer

int main(int argc, char **argv)
{
	std::vector<std::string> words(argv, argv + argc);
	try {
		return outer::use<1>(words);
	} catch (...) {
		return 1;
	}
}
